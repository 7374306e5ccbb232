import express from "express";
import { api } from "latchkey/api";
import { latchkey } from "latchkey/express";
import { mcp } from "latchkey/mcp";
import { calculateJwkThumbprint, CompactSign, exportJWK } from "jose";
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";

import { keyPair, type Members, type TestIssuer } from "../api/issuer.ts";
import { startTestIssuer } from "../api/start-issuer.ts";
import { rawBytes } from "../browser/raw-bytes.ts";
import { type HostWorld, worldOfTest } from "./world/host-world.ts";
import { hosts } from "./world/hosts.ts";

const audience = "https://api.example";

function claimsOf({ issuer }: TestIssuer): Members {
  const now = Math.floor(Date.now() / 1000);
  const who = { sub: "robot-user", client_id: "robot", scope: "read" };
  return { iss: issuer, aud: audience, ...who, jti: "1", iat: now, exp: now + 300 };
}

const optionsOf = (issuer: TestIssuer) => ({
  api: api({ audience, issuers: [{ issuer: issuer.issuer, algorithms: ["ES256"] }] }),
});

const get = async (
  world: HostWorld,
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
) => {
  const response = await fetch(world.baseURL + path, { method, headers, redirect: "manual" });
  const challenge = response.headers.get("www-authenticate");
  const setCookies = response.headers.getSetCookie();
  return { status: response.status, challenge, setCookies, text: await response.text() };
};

describe.each(hosts)("an MCP server below a path on $name", (host) => {
  test("has its metadata before this path, and challenges with their address [AP-038]", async () => {
    const world = await worldOfTest({
      app: (auth) => host.catchAll([auth], (target) => `page ${target}`),
      options: { api: mcp({ servers: [{ path: "/mcp" }] }) },
      basePath: "/shop",
    });
    const { origin } = new URL(world.baseURL);
    const address = `${origin}/.well-known/oauth-protected-resource/shop/mcp`;
    const metadata = await fetch(address);
    expect([metadata.status, await metadata.json()]).toMatchObject([
      200,
      { resource: `${origin}/shop/mcp`, authorization_servers: [world.provider.issuer] },
    ]);
    const refused = await get(world, "/mcp", {}, "POST");
    expect(refused.status).toBe(401);
    expect(refused.challenge).toContain(`resource_metadata="${address}"`);
  });
});

describe.each(hosts)("an API on $name", (host) => {
  test("refuses two lines of Authorization [AP-024]", async () => {
    const issuer = await startTestIssuer();
    const world = await worldOfTest({
      app: (auth) => host.catchAll([auth], (target) => `page ${target}`),
      options: optionsOf(issuer),
    });
    const token = await issuer.sign(claimsOf(issuer));
    const line = `Authorization: Bearer ${token}`;
    const head = `GET /api/data HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n`;
    const answer = await rawBytes(world.baseURL, `${head}${line}\r\n${line}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('error="invalid_request"');
    const mixed = await rawBytes(
      world.baseURL,
      `${head}Authorization: Basic YTpi\r\n${line}\r\n\r\n`,
    );
    expect(mixed).toMatch(/^HTTP\/1\.1 400 /);
  });

  const page = (target: string) => `reached ${target}`;
  const asked = "Origin: https://spa.example\r\nAccess-Control-Request-Method: GET\r\n";
  const preflight = ({ baseURL }: HostWorld, target: string, more = "") => {
    const head = `OPTIONS ${target} HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n`;
    return rawBytes(baseURL, `${head}${asked}${more}\r\n`);
  };

  test("passes on a preflight if an option says so, none whose path leaves the API [AP-036]", async () => {
    const world = await worldOfTest({
      app: (auth) => host.catchAll([auth], page),
      options: { api: api({ audience, preflights: "pass" }) },
    });
    const cookie = await (await world.signedIn()).cookies();
    for (const target of ["/api/../page", "/api/%2e%2e/page", "/api/..;/page", "//api/data"]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await preflight(world, target)).not.toContain("reached");
    }
    expect(await preflight(world, "/api/data")).toContain("reached");
    const signedIn = await preflight(world, "/api/data", `Cookie: ${cookie}\r\n`);
    expect(signedIn).toContain("reached");
    expect(signedIn.toLowerCase()).toContain("\r\ncache-control: private, no-store");
  });
});

test("a proof is for the public address, also below a mount of Express [AP-028]", async () => {
  const issuer = await startTestIssuer();
  const world = await worldOfTest({
    app: (auth) => {
      const mounted = express.Router();
      mounted.use(latchkey(auth));
      mounted.get("/data", (request, response) => void response.send(request.auth.client));
      return express().use("/api", mounted);
    },
    options: optionsOf(issuer),
  });
  const { privateKey, publicKey } = await keyPair("ES256", "client");
  const jwk = await exportJWK(publicKey);
  const cnf = { jkt: await calculateJwkThumbprint(jwk) };
  const token = await issuer.sign({ ...claimsOf(issuer), cnf });
  const ath = createHash("sha256").update(token).digest("base64url");
  const iat = Math.floor(Date.now() / 1000);
  const ask = async (htu: string) => {
    const claims = { htm: "GET", htu, iat, ath, jti: crypto.randomUUID() };
    const dpop = await new CompactSign(Buffer.from(JSON.stringify(claims)))
      .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk })
      .sign(privateKey);
    return get(world, "/api/data", { authorization: `DPoP ${token}`, dpop });
  };
  expect(await ask(`${world.baseURL}/api/data`)).toMatchObject({ status: 200, text: "robot" });
  expect(await ask(`${world.baseURL}/data`)).toMatchObject({ status: 401 });
});
