import { generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { afterAll, beforeAll, expect, test } from "vitest";

import { type CheckedApp, runCheckedApp } from "./checked-app.support.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const provider = createServer();
let issuer: string;
let app: CheckedApp;

beforeAll(async () => {
  await once(provider.listen(0, "localhost"), "listening");
  issuer = `http://localhost:${(provider.address() as AddressInfo).port}`;
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
  };
  const keys = [{ ...publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256", use: "sig" }];
  provider.on("request", ({ url = "" }, outgoing) => {
    outgoing.setHeader("Content-Type", "application/json");
    outgoing.end(JSON.stringify(url === "/jwks" ? { keys } : metadata));
  });
  app = await runCheckedApp({
    LATCHKEY_ISSUER_BASE_URL: issuer,
    LATCHKEY_CHECK_AUDIENCE: "https://api.example.com https://other.example.com",
    LATCHKEY_CHECK_ACCESS_TOKEN: "true",
  });
});

afterAll(async () => {
  await app.close();
  provider.close();
  provider.closeAllConnections();
});

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

function tokenWith(change: object = {}): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: issuer,
    aud: "https://api.example.com",
    sub: "a-caller",
    client_id: "a-client",
    jti: "1",
    iat: now,
    exp: now + 600,
    ...change,
  };
  const text = `${encoded({ typ: "at+jwt", alg: "RS256", kid: "1" })}.${encoded(claims)}`;
  return `${text}.${sign("RSA-SHA256", Buffer.from(text), privateKey).toString("base64url")}`;
}

const send = (token: string, uri = "/page") =>
  app.ask({ uri, headers: { cookie: app.cookies, authorization: `Bearer ${token}` } });

test("a caller with an access token for the audience passes, as the subject of the token [AP-056]", async () => {
  const { status, headers } = await send(tokenWith());
  expect([status, headers.get("latchkey-sub")]).toEqual([200, "a-caller"]);
  expect(headers.get("latchkey-access-token")).toBe("");
  expect(headers.getSetCookie()).toEqual([]);
});

test("a token bound to a key is refused at the check, which offers no proof", async () => {
  const bound = tokenWith({ cnf: { jkt: "a-thumbprint" } });
  for (const scheme of ["Bearer", "DPoP"]) {
    const headers = { authorization: `${scheme} ${bound}`, dpop: "a.b.c" };
    const refused = await app.ask({ headers });
    expect([scheme, refused.status]).toEqual([scheme, 401]);
    expect(refused.headers.get("www-authenticate")).toMatch(
      /^Bearer [^,]*, error="invalid_token", error_description="Access tokens that are bound to a key are not accepted\."$/,
    );
  }
});

test("nginx gets 503, no refusal, if the keys of the provider cannot be read", async () => {
  const offline = await runCheckedApp({ LATCHKEY_CHECK_AUDIENCE: "https://api.example.com" });
  const headers = { authorization: `Bearer ${tokenWith({ iss: "http://localhost:9" })}` };
  const { status } = await offline.ask({ proxy: "nginx", headers });
  await offline.close();
  expect(status).toBe(503);
});

test("an access token meets requirements by its claims", async () => {
  expect((await send(tokenWith({ groups: ["admins"] }), "/admin")).status).toBe(200);
  const refused = await send(tokenWith(), "/admin");
  expect(refused.status).toBe(403);
  expect(refused.headers.get("location")).toBeNull();
});

test.each<[string, () => string]>([
  ["another audience", () => tokenWith({ aud: "https://evil.example.com" })],
  ["another issuer", () => tokenWith({ iss: "https://evil.example.com" })],
  ["an end in the past", () => tokenWith({ exp: 1 })],
  ["a changed signature", () => `${tokenWith()}x`],
  ["no form at all", () => "abc"],
])("a token with %s gets 401 with a challenge, and the session does not count", async (_, make) => {
  const { status, headers } = await send(make());
  expect([status, headers.get("location"), headers.get("latchkey-sub")]).toEqual([401, null, null]);
  expect(headers.get("www-authenticate")).toMatch(/^Bearer .*error="invalid_token"/);
});
