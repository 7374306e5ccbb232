import { expect, test } from "vitest";

import { goodSettings as good } from "../../test/settings.ts";
import { readConfig } from "./config.ts";
import type { Settings } from "./settings.ts";
import { startUpWarnings } from "./warnings.ts";

function warnings(changes: Partial<Settings>, hasStore = true): readonly string[] {
  return startUpWarnings(readConfig({ ...good, ...changes }, { hasStore }), hasStore);
}

test("a good secret and a store need no word", () => {
  expect(warnings({})).toEqual([]);
});

test("a secret below 32 bytes is allowed, and what is wrong with it is said", () => {
  expect(warnings({ secret: "0123456789abcdef0123456789abcde" })).toEqual([
    expect.stringContaining("shorter than 32 bytes"),
  ]);
  expect(warnings({ secret: [good.secret, "12345678"] })).toHaveLength(1);
});

test("bytes count, not letters", () => {
  expect(warnings({ secret: "ä".repeat(16) })).toEqual([]);
});

test("without a store it is said what cannot be promised", () => {
  expect(warnings({}, false)).toEqual([expect.stringContaining("stays good until it expires")]);
});

test("an HMAC with a client secret below 32 bytes is allowed, and said [STD-083]", () => {
  expect(warnings({ idTokenSigningAlg: "HS256" })).toEqual([
    expect.stringContaining("LATCHKEY_CLIENT_SECRET is shorter than 32 bytes"),
  ]);
  expect(warnings({ idTokenSigningAlg: "HS256", clientSecret: "x".repeat(32) })).toEqual([]);
});
