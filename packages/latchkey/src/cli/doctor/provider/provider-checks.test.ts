import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

import { startProvider } from "@latchkey/provider";
import { expect, onTestFinished, test } from "vitest";

import { readConfig } from "../../../config/config.ts";
import type { Settings } from "../../../config/settings.ts";
import { freePort } from "../../../../test/servers/free-port.ts";
import type { Fetch } from "../ask.ts";
import { runChecks } from "../run-checks.ts";
import { askProvider } from "./ask-provider.ts";
import { proxyFor } from "./judge-reachable.ts";
import { providerChecks } from "./provider-checks.ts";

const app = "http://localhost:3000";
const clientSecret = "local-trial-secret-that-everyone-may-know";

interface Asked {
  readonly isProbe?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  readonly fetch?: Fetch;
}

async function found(
  settings: Partial<Settings>,
  { isProbe = false, environment = {}, fetch = globalThis.fetch }: Asked = {},
) {
  const config = readConfig(
    {
      secret: "Jq3Ykq9wXm2Zr4LpV7nBT5dF8sH1gC6a",
      baseURL: app,
      issuerBaseURL: "http://localhost",
      clientID: "latchkey",
      clientSecret,
      ...settings,
    },
    { hasStore: false },
  );
  const answers = await askProvider(config, { isProbe, relay: null }, fetch);
  const proxy = proxyFor(config.issuerBaseURL, environment);
  const findings = runChecks(
    providerChecks,
    { ...answers, proxy, isInContainer: false, missingCertificates: null },
    new Set(),
  );
  return findings
    .filter(({ verdict }) => verdict === "failure" || verdict === "warning")
    .map(({ id, verdict, what, remedy }) => ({ finding: `${id} ${verdict}`, what, remedy }));
}

async function provider(settings: Parameters<typeof startProvider>[0] = {}) {
  const running = await startProvider({ appURL: app, ...settings });
  onTestFinished(() => running.close());
  return running;
}

/** A server in place of a provider. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, "localhost", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

interface Change {
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly keys?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly secondsAhead?: number;
  /** The metadata have a slash at the end of their address. */
  readonly isSlashed?: boolean;
  /** The answer to every other request. */
  readonly answer?: readonly [status: number, location: string, body: string];
}

/** A provider with healthy answers, and changes of them. */
function standIn({
  metadata = {},
  keys,
  headers = {},
  secondsAhead = 0,
  isSlashed = false,
  answer,
}: Change = {}): Promise<string> {
  return serve((request, response) => {
    const issuer = `http://${request.headers.host}`;
    const json = (value: unknown) =>
      void response
        .writeHead(200, {
          "Content-Type": "application/json",
          Date: new Date(Date.now() + secondsAhead * 1000).toUTCString(),
          ...headers,
        })
        .end(JSON.stringify(value));
    const place = "/.well-known/openid-configuration";
    if (isSlashed && request.url === place) {
      return void response.writeHead(301, { Location: `${place}/` }).end();
    }
    if (request.url === (isSlashed ? `${place}/` : place)) {
      return json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        end_session_endpoint: `${issuer}/logout`,
        response_types_supported: ["code"],
        id_token_signing_alg_values_supported: ["RS256"],
        token_endpoint_auth_methods_supported: ["client_secret_basic"],
        ...metadata,
      });
    }
    if (request.url === "/keys") {
      return json(
        (typeof keys === "function" ? keys() : keys) ?? {
          keys: [{ kty: "RSA", kid: "1", n: "a".repeat(342), e: "AQAB" }],
        },
      );
    }
    const [status, location, body] = answer ?? [302, `${issuer}/sign-in`, ""];
    response.writeHead(status, { Location: location, "Content-Type": "text/html" }).end(body);
  });
}

test("a healthy provider has no finding, with the probe neither", async () => {
  const { issuer } = await provider();
  expect(await found({ issuerBaseURL: issuer })).toEqual([]);
  expect(await found({ issuerBaseURL: issuer }, { isProbe: true })).toEqual([]);
});

test("nothing listens at the issuer", async () => {
  const issuerBaseURL = `http://localhost:${await freePort()}`;
  expect(await found({ issuerBaseURL })).toMatchObject([{ finding: "D12 failure" }]);
});

test("https is set for a provider that speaks http", async () => {
  const { issuer } = await provider();
  expect(await found({ issuerBaseURL: issuer.replace("http:", "https:") })).toMatchObject([
    { finding: "D13 failure", remedy: expect.stringContaining("http://") },
  ]);
});

test("http is set for a provider that speaks https, with a certificate of its own", async () => {
  const { issuer } = await provider({ https: true });
  expect(await found({ issuerBaseURL: issuer.replace("https:", "http:") })).toMatchObject([
    { finding: "D13 failure", remedy: expect.stringContaining("https://") },
  ]);
});

test("a proxy that Node does not use is named before any fault of the network", async () => {
  const fetch: Fetch = () => Promise.reject(new Error("no route"));
  const environment = { HTTPS_PROXY: "http://proxy.example:3128" };
  const settings = { issuerBaseURL: "https://id.invalid" };
  expect(await found(settings, { environment, fetch })).toMatchObject([
    { finding: "D12 failure", remedy: expect.stringContaining("NODE_USE_ENV_PROXY=1") },
  ]);
  const outside = { ...environment, NO_PROXY: "corp.example,.invalid" };
  expect((await found(settings, { environment: outside, fetch }))[0]?.remedy).not.toContain(
    "NODE_USE_ENV_PROXY",
  );
});

test("a proxy that cannot be used is named", async () => {
  const { fetch } = globalThis;
  const environment = { HTTP_PROXY: "http://localhost:1", NODE_USE_ENV_PROXY: "1" };
  const settings = { issuerBaseURL: `http://localhost:${await freePort()}` };
  expect(await found(settings, { environment, fetch })).toMatchObject([
    { finding: "D12 failure", what: expect.stringContaining("by the proxy of HTTP_PROXY") },
  ]);
});

test("the certificate of the provider is not trusted", async () => {
  const { issuer } = await provider({ https: true });
  expect(await found({ issuerBaseURL: issuer })).toMatchObject([
    { finding: "D12 failure", remedy: expect.stringContaining("NODE_EXTRA_CA_CERTS") },
  ]);
});

test.each<[string, RequestListener, string]>([
  ["a web page", (_, response) => void response.end("<!doctype html>"), "a web page"],
  ["404", (_, response) => void response.writeHead(404).end(), "answers 404"],
  [
    "a redirect",
    (_, response) => void response.writeHead(302, { Location: "https://login.example" }).end(),
    "redirects",
  ],
  ["an array", (_, response) => void response.end("[]"), "no metadata"],
])("the metadata are %s", async (_what, listener, what) => {
  const issuerBaseURL = await serve(listener);
  expect(await found({ issuerBaseURL })).toMatchObject([
    { finding: "D14 failure", what: expect.stringContaining(what) },
  ]);
});

test("the issuer has a path too much, and the remedy names the right one", async () => {
  const { issuer } = await provider();
  expect(await found({ issuerBaseURL: `${issuer}/realms` })).toMatchObject([
    {
      finding: "D14 failure",
      remedy: expect.stringContaining(`LATCHKEY_ISSUER_BASE_URL=${issuer},`),
    },
  ]);
});

test("the metadata name another issuer, and the remedy is the line to set", async () => {
  const issuerBaseURL = await standIn({ metadata: { issuer: "https://id.example.com/" } });
  expect(await found({ issuerBaseURL })).toMatchObject([
    { finding: "D15 failure", remedy: "Set LATCHKEY_ISSUER_BASE_URL=https://id.example.com/" },
  ]);
});

test.each<[string, Change, string]>([
  ["an endpoint is missing", { metadata: { token_endpoint: undefined } }, "D16 failure"],
  [
    "an endpoint is http",
    { metadata: { token_endpoint: "http://id.example/token" } },
    "D16 failure",
  ],
  [
    "the algorithm is not offered",
    { metadata: { id_token_signing_alg_values_supported: ["ES256"] } },
    "D17 failure",
  ],
  ["no key fits the algorithm", { keys: { keys: [{ kty: "EC", kid: "1" }] } }, "D17 failure"],
  ["the key set is empty", { keys: { keys: [] } }, "D18 failure"],
  ["the key is small", { keys: { keys: [{ kty: "RSA", n: "a".repeat(171) }] } }, "D18 failure"],
  ["the key set is no object", { keys: "keys" }, "D18 failure"],
  [
    "two keys have one kid",
    { keys: { keys: ["1", "1"].map((kid) => ({ kty: "RSA", kid, n: "a".repeat(342) })) } },
    "D18 warning",
  ],
  [
    "the client authentication is not offered",
    { metadata: { token_endpoint_auth_methods_supported: ["private_key_jwt"] } },
    "D19 failure",
  ],
  [
    "an error about the scope comes back",
    { answer: [302, `${app}/api/auth/callback?error=invalid_scope`, ""] },
    "D21 failure",
  ],
  [
    "an error about the client comes back",
    { answer: [302, `${app}/api/auth/callback?error=unauthorized_client`, ""] },
    "D20 failure",
  ],
  [
    "the response type is not offered",
    { metadata: { response_types_supported: ["id_token"] } },
    "D25 failure",
  ],
  [
    "the response mode is not offered",
    { metadata: { response_modes_supported: ["fragment"] } },
    "D25 failure",
  ],
  ["the clock is an hour off", { secondsAhead: -3600 }, "D26 failure"],
  ["the clock is 20 s off", { secondsAhead: 20 }, "D26 warning"],
])("the one finding is the cause if %s", async (_what, change, expected) => {
  const issuerBaseURL = await standIn(change);
  const findings = await found({ issuerBaseURL });
  expect(findings.map(({ finding }) => finding)).toEqual([expected]);
});

test.each<[string, Change]>([
  [
    "keys have neither alg nor use nor kid",
    { keys: { keys: [{ kty: "RSA", n: "a".repeat(342) }] } },
  ],
  ["a cache sends an old date", { headers: { Date: "Mon, 01 Jan 2024 00:00:00 GMT", Age: "9" } }],
  [
    "pushed requests are required, and so sent",
    {
      metadata: {
        require_pushed_authorization_requests: true,
        pushed_authorization_request_endpoint: "https://id.example/push",
      },
      answer: [302, `${app}/api/auth/callback?error=invalid_request`, ""],
    },
  ],
  ["there is no end of session", { metadata: { end_session_endpoint: undefined } }],
  [
    "none is listed beside the algorithm",
    { metadata: { id_token_signing_alg_values_supported: ["none", "RS256"] } },
  ],
  ["a page of sign-in answers the redirect probe", { answer: [200, "", "<form action='/login'>"] }],
])("nothing is found if %s", async (_what, change) => {
  expect(await found({ issuerBaseURL: await standIn(change) })).toEqual([]);
});

test("servers behind one address that disagree about the issuer are found", async () => {
  let asked = 0;
  const issuerBaseURL = await serve((request, response) => {
    asked += 1;
    const issuer = asked > 1 ? "https://other.example" : `http://${request.headers.host}`;
    response.end(JSON.stringify({ issuer }));
  });
  expect((await found({ issuerBaseURL }))[0]).toMatchObject({ finding: "D27 failure" });
});

test("servers behind one address that have different keys are found", async () => {
  let asked = 0;
  const keys = () => ({ keys: [{ kty: "RSA", kid: `${(asked += 1)}`, n: "a".repeat(342) }] });
  expect((await found({ issuerBaseURL: await standIn({ keys }) }))[0]).toMatchObject({
    finding: "D27 failure",
  });
});

test("a server that has a key more is in a rotation", async () => {
  let asked = 0;
  const keyOf = (kid: string) => ({ kty: "RSA", kid, n: "a".repeat(342) });
  const keys = () => ({ keys: (asked += 1) > 1 ? [keyOf("1"), keyOf("2")] : [keyOf("1")] });
  expect(await found({ issuerBaseURL: await standIn({ keys }) })).toEqual([]);
});

test("metadata at the same place with a slash are read", async () => {
  expect(await found({ issuerBaseURL: await standIn({ isSlashed: true }) })).toEqual([]);
});

test("a pushed request is sent with the probe, and proves address and client", async () => {
  const { issuer } = await provider({ client: { requirePushedRequests: true } });
  const settings = { issuerBaseURL: issuer, pushedAuthorizationRequests: true };
  expect(await found(settings)).toEqual([]);
  expect(await found(settings, { isProbe: true })).toEqual([]);
  expect(
    await found({ ...settings, baseURL: "http://localhost:3001" }, { isProbe: true }),
  ).toMatchObject([{ finding: "D21 failure" }, { finding: "D22 failure" }]);
});

test("an unregistered redirect address is refused, with the address to register", async () => {
  const { issuer } = await provider({ appURL: "http://localhost:3001" });
  expect(await found({ issuerBaseURL: issuer })).toMatchObject([
    { finding: "D21 failure", remedy: expect.stringContaining(`${app}/api/auth/callback`) },
    { finding: "D22 failure", remedy: expect.stringContaining(`${app}/_auth/signed-out`) },
  ]);
});

test("MX-085: a refused redirect address leads to the ways without a registration", async () => {
  const { issuer } = await provider({ appURL: "http://localhost:3001" });
  const remedyWith = async (pushedAuthorizationRequests: boolean) => {
    const settings = { issuerBaseURL: issuer, pushedAuthorizationRequests };
    const [first] = await found(settings, { isProbe: pushedAuthorizationRequests });
    return first?.remedy ?? "";
  };
  const pushed = "LATCHKEY_PUSHED_AUTHORIZATION_REQUESTS=true may do";
  expect(await remedyWith(false)).toMatch(/take the relay of latchkey\/relay/);
  expect(await remedyWith(false)).toContain(pushed);
  expect(await remedyWith(true)).not.toContain(pushed);
});

test("an unknown client is found without the probe", async () => {
  const { issuer } = await provider();
  const findings = await found({ issuerBaseURL: issuer, clientID: "another-app" });
  expect(findings).toMatchObject([{ finding: "D20 failure" }]);
});

test("a wrong client secret is found with the probe only", async () => {
  const { issuer } = await provider();
  const settings = { issuerBaseURL: issuer, clientSecret: "another-secret-than-that-one" };
  expect(await found(settings)).toEqual([]);
  expect(await found(settings, { isProbe: true })).toMatchObject([{ finding: "D20 failure" }]);
});

test("a key of the client is tested with the probe", async () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const other = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const jwks = { keys: [{ ...publicKey.export({ format: "jwk" }), alg: "RS256" }] };
  const { issuer } = await provider({ client: { authMethod: "private_key_jwt", jwks } });
  const withKey = (key: KeyObject) =>
    found(
      {
        issuerBaseURL: issuer,
        clientSecret: undefined,
        clientAuthMethod: "private_key_jwt",
        clientAssertionSigningKey: key.export({ type: "pkcs8", format: "pem" }).toString(),
      },
      { isProbe: true },
    );
  expect(await withKey(privateKey)).toEqual([]);
  expect(await withKey(other.privateKey)).toMatchObject([{ finding: "D20 failure" }]);
});

test("the checks send GET and HEAD only, and no secret", async () => {
  const running = await provider();
  await found({ issuerBaseURL: running.issuer });
  // The local provider confirms the end of a session to itself.
  const sent = running.requests.filter(({ path }) => path !== "/session/end/confirm");
  expect(sent.filter(({ method }) => method !== "GET" && method !== "HEAD")).toEqual([]);
  expect(JSON.stringify(sent)).not.toContain(clientSecret);
});
