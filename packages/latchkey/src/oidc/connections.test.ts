import { generateKeyPairSync, verify } from "node:crypto";
import { expect, test } from "vitest";

import { configOf, goodSettings } from "../../test/settings.ts";
import { quietProviderDeps } from "../../test/worlds/quiet-provider-deps.ts";
import { metadataOf } from "../../test/worlds/quick-provider.ts";
import { recordedProvider } from "../../test/worlds/recorded-provider.ts";
import type { Settings } from "../config/settings.ts";
import { redirectURI } from "./authorization-request.ts";
import { createConnections } from "./connections.ts";
import { refreshTokens } from "./token-request.ts";

const { issuerBaseURL, clientID } = goodSettings;

function connectionsOf(settings: Partial<Settings> = {}, published: string = issuerBaseURL) {
  const config = configOf(settings);
  return createConnections(config.connections, {
    ...quietProviderDeps,
    clock: () => 1_800_000_000_000,
    fetch: async () => Response.json({ ...metadataOf(published), issuer: published }),
  });
}

test.each([
  ["of its own", { issuer: issuerBaseURL, client: clientID }],
  ["made elsewhere, without names,", {}],
])("a session %s belongs to the default connection", (_, header) => {
  const connections = connectionsOf();
  expect(connections.ofSession(header)).toBe(connections.default);
});

const others: Settings["connections"] = {
  acme: { issuerBaseURL: "https://id.acme.example", clientID: "a", clientSecret: "secret-of-acme" },
  beta: { uses: "acme", organization: "org_beta" },
  shared: {
    issuerBaseURL: "https://id.shared.example",
    clientID: "s",
    clientSecret: "secret-of-shared",
    callback: "shared",
  },
};

function several() {
  return connectionsOf({ connections: others, identity: "issuer+sub" });
}

test("a connection is found by its id, and an unknown id has none [MX-003]", () => {
  const { byID, all, default: first } = several();
  expect(all.map(({ id }) => id)).toEqual(["default", "acme", "beta", "shared"]);
  expect(byID("acme")).toMatchObject({ id: "acme", clientID: "a" });
  expect(byID("default")).toBe(first);
  expect(["constructor", "__proto__", "ACME", ""].map((id) => byID(id))).toEqual(
    Array.from({ length: 4 }, () => null),
  );
});

test("a session belongs to the connection it names, never to another one", () => {
  const { byID, ofSession } = several();
  expect(ofSession({ connection: "acme" })).toBe(byID("acme"));
  expect(() => ofSession({ connection: "gone" })).toThrow(TypeError);
});

test("each client has a redirect URI of its own, at each site [MX-025]", () => {
  const { routes } = configOf();
  const paths = ["", "/acme", "/acme", ""].map((id) => `/api/auth/callback${id}`);
  for (const baseURL of ["https://app.example", "https://other.example"]) {
    const uris = several().all.map((each) => redirectURI({ baseURL, routes }, each));
    expect(uris).toEqual(paths.map((path) => baseURL + path));
  }
});

test("connections with one client share issuer, credentials and limits [MX-006]", () => {
  const [, acme, beta, shared] = several().all;
  expect(beta).toMatchObject({ uses: "acme", clientID: "a", organization: "org_beta" });
  expect(beta?.issuer).toBe(acme?.issuer);
  expect(beta?.credentials).toBe(acme?.credentials);
  expect(beta?.refreshLimits).toBe(acme?.refreshLimits);
  expect(shared?.issuer).not.toBe(acme?.issuer);
});

test("a connection is found by its issuer, and a stranger has none", async () => {
  const connections = connectionsOf();
  expect(await connections.ofIssuer(issuerBaseURL)).toBe(connections.default);
  expect(await connections.ofIssuer(`${issuerBaseURL}/`)).toBeNull();
  expect(await connections.ofIssuer("https://other.example")).toBeNull();
});

test("the issuer of an admitted tenant is that of the connection, and no other tenant's", async () => {
  const address = "https://login.example/common/v2.0";
  const of = (tenant: string) => `https://login.example/${tenant}/v2.0`;
  const settings = { issuerBaseURL: address, tenants: ["tenant-a"] };
  const connections = connectionsOf(settings, of("{tenantid}"));
  const { issuer } = connections.default;
  expect(await connections.ofIssuer(of("tenant-a"))).toBe(connections.default);
  expect(await connections.ofIssuer(of("tenant-b"))).toBeNull();
  expect(await issuer.hasIssued({ iss: of("tenant-a"), tid: "tenant-a" })).toBe(true);
  expect(await issuer.hasIssued({ iss: of("tenant-a"), tid: "tenant-b" })).toBe(false);
});

test("a listed issuer is that of the connection if it has the same name, else one of its own", () => {
  const connections = connectionsOf();
  expect(connections.issuer(issuerBaseURL)).toBe(connections.default.issuer);
  const other = connections.issuer("https://other.example");
  expect([other.name, other.hasTenants]).toEqual(["https://other.example", false]);
});

function signingKey() {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    pem: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    hasSigned(assertion: string): boolean {
      const [header, payload, signature = ""] = assertion.split(".");
      const signed = Buffer.from(`${header}.${payload}`);
      return verify(null, signed, publicKey, Buffer.from(signature, "base64url"));
    },
  };
}

const tokens = () => Response.json({ access_token: "a", token_type: "Bearer" });

test("a new client secret is sent from the moment on when it is in force [OP-082]", async () => {
  const { connection, calls } = recordedProvider(tokens);
  await refreshTokens(connection, "rt");
  connection.credentials.replace({ clientSecret: "next", clientAssertionSigningKey: undefined });
  await refreshTokens(connection, "rt");
  const sent = calls.map(({ headers }) => headers.get("authorization")?.replace("Basic ", ""));
  expect(sent.map((each) => atob(each ?? ""))).toEqual([
    `client:${goodSettings.clientSecret}`,
    "client:next",
  ]);
});

test("a new signing key of the client signs from the moment on when it is in force [OP-082]", async () => {
  const [former, next] = [signingKey(), signingKey()];
  const settings = { clientSecret: undefined, clientAssertionSigningKey: former.pem };
  const { connection, calls } = recordedProvider(tokens, {
    settings: { ...settings, clientAssertionSigningAlg: "EdDSA" },
  });
  await refreshTokens(connection, "rt");
  connection.credentials.replace({
    clientSecret: undefined,
    clientAssertionSigningKey: next.pem,
  });
  await refreshTokens(connection, "rt");
  const signedBy = calls.map(({ form }) =>
    [former, next].findIndex(({ hasSigned }) => hasSigned(String(form["client_assertion"]))),
  );
  expect(signedBy).toEqual([0, 1]);
});
