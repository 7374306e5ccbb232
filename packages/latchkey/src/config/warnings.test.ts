import { expect, test } from "vitest";

import { goodSettings as good } from "../../test/settings.ts";
import { readConfig } from "./config.ts";
import type { Settings } from "./settings.ts";
import { startUpWarnings } from "./warnings.ts";

function warnings(changes: Partial<Settings>, hasStore = true): readonly string[] {
  return startUpWarnings(readConfig({ ...good, ...changes }, { hasStore }), hasStore);
}

test("says nothing where there is a good secret, https and a store", () => {
  expect(warnings({})).toEqual([]);
});

test("warns of a secret below 32 bytes [ATK-036]", () => {
  expect(warnings({ secret: "0123456789abcdef0123456789abcde" })).toEqual([
    expect.stringContaining("LATCHKEY_SECRET is shorter than 32 bytes"),
  ]);
  expect(warnings({ secret: [good.secret, "12345678"] })).toHaveLength(1);
});

test("counts the bytes of a secret, not its characters", () => {
  expect(warnings({ secret: "ä".repeat(16) })).toEqual([]);
});

test("warns of an http base URL beyond this machine", () => {
  expect(warnings({ baseURL: "http://app.example" })).toEqual([
    expect.stringContaining("Serve the app over https"),
  ]);
  expect(warnings({ baseURL: "http://localhost:3000" })).toEqual([]);
});

test("warns of a list of claims to leave out that names sub", () => {
  const warning = expect.stringContaining("names sub, which stays in any case") as string;
  expect(warnings({ identityClaimFilter: ["sub", "iss"] })).toEqual([warning]);
});

test("warns of cookies that a browser leaves out when people come back from the provider", () => {
  const strict = { sameSite: "strict" } as const;
  expect(warnings({ session: { cookie: strict } })).toEqual([
    expect.stringContaining("LATCHKEY_SESSION_COOKIE_SAME_SITE is strict"),
  ]);
  expect(warnings({ transactionCookie: strict })).toEqual([
    expect.stringContaining("LATCHKEY_TRANSACTION_COOKIE_SAME_SITE is strict"),
  ]);
});

test("says without a store what cannot be promised", () => {
  expect(warnings({}, false)).toEqual([expect.stringContaining("stays good until it expires")]);
});

test("warns of refresh tokens that several instances without a store would spend twice [OP-016]", () => {
  const scope = "openid offline_access";
  const warning = expect.stringContaining("offline_access") as string;
  expect(warnings({ scope }, false)).toContainEqual(warning);
  expect(warnings({ scope, instances: 1 }, false)).not.toContainEqual(warning);
  expect(warnings({ scope, instances: 3 })).toEqual([]);
  expect(warnings({ scope: "openid" }, false)).not.toContainEqual(warning);
});

test("warns of HMAC with a client secret below 32 bytes [STD-083]", () => {
  expect(warnings({ idTokenSigningAlg: "HS256" })).toEqual([
    expect.stringContaining("LATCHKEY_CLIENT_SECRET is shorter than 32 bytes"),
  ]);
  expect(warnings({ idTokenSigningAlg: "HS256", clientSecret: "x".repeat(32) })).toEqual([]);
});
