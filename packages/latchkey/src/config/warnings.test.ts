import { expect, test } from "vitest";

import { ownTime } from "../../test/own-time.ts";
import { goodSettings as good } from "../../test/settings.ts";
import { readConfig } from "./config.ts";
import type { Settings } from "./settings.ts";
import { startUpWarnings } from "./warnings.ts";

function warnings(changes: Partial<Settings>, hasStore = true): readonly string[] {
  const config = readConfig({ ...good, ...changes }, { hasStore });
  return startUpWarnings(config, hasStore ? { kind: "sqlite" } : null);
}

test("the start warns of a memory store in production only", () => {
  const warningsIn = (production: boolean) =>
    startUpWarnings(readConfig({ ...good, production }, { hasStore: true }), { kind: "memory" });
  expect(warningsIn(true)).toEqual([expect.stringContaining("a restart signs users out")]);
  expect(warningsIn(false)).toEqual([]);
});

test("a good secret, https and a store leave nothing to warn of", () => {
  expect(warnings({})).toEqual([]);
});

test("the start warns of a secret below 32 bytes [ATK-036]", () => {
  expect(warnings({ secret: "0123456789abcdef0123456789abcde" })).toEqual([
    expect.stringContaining("LATCHKEY_SECRET is shorter than 32 bytes"),
  ]);
  expect(warnings({ secret: [good.secret, "12345678"] })).toHaveLength(1);
});

test("the length of a secret counts in bytes, not in characters", () => {
  expect(warnings({ secret: "ä".repeat(16) })).toEqual([]);
});

test("the start warns of an http base URL beyond this machine", () => {
  expect(warnings({ baseURL: "http://app.example" })).toEqual([
    expect.stringContaining("Serve the app over https"),
  ]);
  expect(warnings({ baseURL: "http://localhost:3000" })).toEqual([]);
});

test("the start warns of a claim filter with sub", () => {
  const warning = expect.stringContaining("names sub, which stays in any case") as string;
  expect(warnings({ identityClaimFilter: ["sub", "iss"] })).toEqual([warning]);
});

test("the start warns of cookies missing after the return from the provider", () => {
  const strict = { sameSite: "strict" } as const;
  expect(warnings({ session: { cookie: strict } })).toEqual([
    expect.stringContaining("LATCHKEY_SESSION_COOKIE_SAME_SITE is strict"),
  ]);
  expect(warnings({ transactionCookie: strict })).toEqual([
    expect.stringContaining("LATCHKEY_TRANSACTION_COOKIE_SAME_SITE is strict"),
  ]);
});

test("the start says without a store what cannot be promised", () => {
  expect(warnings({}, false)).toEqual([expect.stringContaining("stays good until it expires")]);
});

test("the start warns of refresh tokens spent twice by several instances without a store [OP-016]", () => {
  const scope = "openid offline_access";
  const warning = expect.stringContaining("offline_access") as string;
  expect(warnings({ scope }, false)).toContainEqual(warning);
  expect(warnings({ scope, instances: 1 }, false)).not.toContainEqual(warning);
  expect(warnings({ scope, instances: 3 })).toEqual([]);
  expect(warnings({ scope: "openid" }, false)).not.toContainEqual(warning);
});

test("the start warns of HMAC with a client secret below 32 bytes [STD-083]", () => {
  expect(warnings({ idTokenSigningAlg: "HS256" })).toEqual([
    expect.stringContaining("LATCHKEY_CLIENT_SECRET is shorter than 32 bytes"),
  ]);
  expect(warnings({ idTokenSigningAlg: "HS256", clientSecret: "x".repeat(32) })).toEqual([]);
});

const acme = {
  issuerBaseURL: "https://id.acme.example",
  clientID: "acme",
  clientSecret: "secret-of-acme",
};

test("the start warns of the weak secret of one connection by its variable", () => {
  const connections = { "acme-eu": { ...acme, idTokenSigningAlg: "HS256" as const } };
  expect(warnings({ identity: "issuer+sub", connections })).toEqual([
    expect.stringContaining("LATCHKEY_CONNECTION_ACME_EU_CLIENT_SECRET is shorter than 32 bytes"),
  ]);
});

test("10,000 connections are read in five seconds, with the advice to look them up [MX-108]", () => {
  const entries = Array.from({ length: 10_000 }, (_, place) => [
    `c${place}`,
    { ...acme, clientID: `c${place}`, domains: [`c${place}.example`] },
  ]);
  const begin = ownTime();
  const found = warnings({ identity: "issuer+sub", connections: Object.fromEntries(entries) });
  expect(ownTime() - begin).toBeLessThan(5000);
  expect(found).toEqual([expect.stringMatching(/10001 connections.*lookUp/)]);
});

test("the start warns of a host of a connection that the app does not have", () => {
  const baseURL = ["https://app.example.com", "https://*.shop.example.com:8443"];
  const other = { issuerBaseURL: "https://op.example", clientID: "two", clientSecret: "s" };
  const warningsFor = (hosts: readonly string[]) =>
    warnings({
      baseURL,
      identity: "issuer+sub",
      session: { name: "__Host-session" },
      connections: { acme: { ...other, hosts } },
    });
  expect(warningsFor(["app.example.com", "one.shop.example.com:8443"])).toEqual([]);
  expect(warningsFor(["app.example.com", "one.shop.example.com", "ap.example.com"])).toEqual([
    expect.stringMatching(
      /^LATCHKEY_CONNECTION_ACME_HOSTS has one\.shop\.example\.com and ap\.example\.com, which/,
    ),
  ]);
  expect(warnings({ hosts: ["other.example.com"] })).toHaveLength(1);
});
