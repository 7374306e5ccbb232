import { describe, expect, test } from "vitest";

import { audience, claimsAt, createApiApp } from "../../test/api/api-app.ts";
import { createTestIssuer, type Members } from "../../test/api/issuer.ts";
import { createMcpApp, notes } from "../../test/api/mcp-app.ts";
import { type ApiOptions } from "./index.ts";
import type { Options } from "../index.ts";
import { mcp } from "../mcp/index.ts";
import { lookUp } from "../connections/index.ts";

const opOfGlobex = "https://globex.example";

/** An app with the connections `default` and `globex`, each with an issuer of its own. */
async function appOfTwo(given: Partial<ApiOptions> = {}, options: Partial<Options> = {}) {
  const [own, globex] = [await createTestIssuer(), await createTestIssuer(opOfGlobex)];
  const fetch = (address: string, init?: RequestInit) =>
    (address.startsWith(opOfGlobex) ? globex : own).fetch(address, init);
  const app = await createApiApp(
    given,
    {
      identity: "issuer+sub",
      connections: {
        globex: {
          issuerBaseURL: opOfGlobex,
          clientID: "globex-app",
          clientSecret: "globex-secret",
          idTokenSigningAlg: "ES256",
        },
      },
      fetch,
      ...options,
    },
    own,
  );
  const ofGlobex = (claims: Members = {}, header: Members = {}) =>
    globex.sign({ ...claimsAt(opOfGlobex), ...claims }, header);
  return { ...app, own, globex, ofGlobex };
}

describe("with several connections", () => {
  test("the issuer of a token chooses the keys that judge it [MX-064]", async () => {
    const app = await appOfTwo();
    const { status, made } = await app.call(
      { token: await app.ofGlobex() },
      ({ claims }) => claims?.iss,
    );
    expect([status, made]).toEqual([200, opOfGlobex]);
    expect((await app.call({ token: await app.token() })).status).toBe(200);
    const forged = await app.own.sign(claimsAt(opOfGlobex));
    expect((await app.call({ token: forged })).status).toBe(401);
    const swapped = await app.globex.sign(claimsAt(app.own.issuer));
    expect((await app.call({ token: swapped })).status).toBe(401);
  });

  test("a token of an unknown issuer is refused, and no provider is called [MX-064]", async () => {
    const app = await appOfTwo();
    const stranger = await createTestIssuer("https://stranger.example");
    const token = await stranger.sign(claimsAt(stranger.issuer));
    const { status, challenge } = await app.call({ token });
    expect(status).toBe(401);
    expect(challenge).toContain('error="invalid_token"');
    expect([...app.own.fetched, ...app.globex.fetched, ...stranger.fetched]).toEqual([]);
  });

  test("each token must be for the API, in the form of its own issuer [MX-064]", async () => {
    const app = await appOfTwo({ profile: "keycloak" });
    const isAdmitted = async (token: string) => (await app.call({ token })).status === 200;
    expect(await isAdmitted(await app.ofGlobex({ aud: "globex-app" }))).toBe(false);
    const loose = { typ: "Bearer", client_id: undefined, jti: undefined };
    expect(await isAdmitted(await app.token(loose, { typ: "JWT" }))).toBe(true);
    expect(await isAdmitted(await app.ofGlobex(loose, { typ: "JWT" }))).toBe(false);
    expect(await isAdmitted(await app.ofGlobex())).toBe(true);
  });

  test("the options may name the form and the audience for a connection's issuer", async () => {
    const entry = { issuer: opOfGlobex, profile: "keycloak", audience: "globex-api" } as const;
    const app = await appOfTwo({ issuers: [entry] });
    const claims = { typ: "Bearer", client_id: undefined, jti: undefined, aud: "globex-api" };
    const statusOf = async (given: Members) =>
      (await app.call({ token: await app.ofGlobex(given, { typ: "JWT" }) })).status;
    expect(await statusOf(claims)).toBe(200);
    expect(await statusOf({ ...claims, aud: audience })).toBe(401);
  });

  test("no provider is asked about a JWT of another one [MX-064]", async () => {
    const app = await appOfTwo({ introspection: true });
    const asked: string[] = [];
    const claims = { ...claimsAt(app.own.issuer), active: true };
    app.own.answers.set("/introspect", (body) => {
      asked.push(body.get("token") ?? "");
      return Response.json(claims);
    });
    expect((await app.call({ token: await app.ofGlobex() })).status).toBe(200);
    const stranger = await createTestIssuer("https://stranger.example");
    const token = await stranger.sign(claimsAt(stranger.issuer));
    expect((await app.call({ token })).status).toBe(401);
    expect(asked).toEqual([]);
    expect((await app.call({ token: "opaque" })).status).toBe(200);
    expect(asked).toEqual(["opaque"]);
    expect(app.globex.fetched.filter((each) => each.endsWith("/introspect"))).toEqual([]);
  });

  test("a connection that is looked up makes no issuer of tokens trusted [MX-064]", async () => {
    const looked: string[] = [];
    const connections = lookUp({
      byID: () => ({ issuerBaseURL: opOfGlobex, clientID: "globex-app", clientSecret: "secret" }),
      byIssuer(issuer) {
        looked.push(issuer);
        return "globex";
      },
    });
    const app = await appOfTwo({}, { connections });
    expect((await app.call({ token: await app.ofGlobex() })).status).toBe(401);
    expect(looked).toEqual([]);
  });
});

describe("with two providers of many tenants, of which one is down", () => {
  const addressAt = (host: string, tenant: string) => `https://${host}.example/${tenant}/v2.0`;

  async function appOfTenants() {
    const alive = await createTestIssuer(addressAt("alive", "{tenantid}"));
    const calls: string[] = [];
    const client = { clientID: "app", tenants: ["any"], idTokenSigningAlg: "ES256" } as const;
    const ofAlive = { ...client, clientSecret: "secret-of-alive" };
    const app = await createApiApp(
      {},
      {
        ...client,
        issuerBaseURL: addressAt("down", "common"),
        identity: "issuer+sub",
        connections: { alive: { ...ofAlive, issuerBaseURL: addressAt("alive", "common") } },
        fetch(address, init) {
          calls.push(new URL(address).hostname);
          if (address.startsWith("https://down.")) throw new TypeError("fetch failed");
          return alive.fetch(address, init);
        },
      },
    );
    const tokenOf = (host: string) =>
      alive.sign({ ...claimsAt(addressAt(host, "tenant-a")), tid: "tenant-a" });
    return { ...app, calls, tokenOf };
  }

  test("tokens of the other one are judged without it [MX-059] [MX-064]", async () => {
    const { call, calls, tokenOf } = await appOfTenants();
    expect((await call({ token: await tokenOf("alive") })).status).toBe(200);
    expect(new Set(calls)).toEqual(new Set(["alive.example"]));
  });

  test("its own tokens cannot be judged, and those of strangers are refused without a call [MX-059]", async () => {
    const { call, calls, tokenOf } = await appOfTenants();
    expect((await call({ token: await tokenOf("stranger") })).status).toBe(401);
    expect(calls).toEqual([]);
    expect((await call({ token: await tokenOf("down") })).status).toBe(503);
  });
});

describe("an MCP server of several connections", () => {
  test("names the issuers of all of them to its clients [MX-064]", async () => {
    const { call } = await appOfTwo({}, { api: mcp({ servers: [{ path: "/mcp" }] }) });
    const { body } = await call({ path: "/.well-known/oauth-protected-resource/mcp" });
    expect(body).toMatchObject({
      resource: notes,
      authorization_servers: ["https://op.example", opOfGlobex],
    });
  });

  test("names one issuer once", async () => {
    const issuers = [{ issuer: "https://op.example", profile: "auth0" }] as const;
    const { call } = await createMcpApp({ issuers });
    const { body } = await call({ path: "/.well-known/oauth-protected-resource/mcp" });
    expect(body).toMatchObject({ authorization_servers: ["https://op.example"] });
  });
});
