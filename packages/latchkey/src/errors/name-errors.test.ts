import { expect, test } from "vitest";

import { AccessTokenError } from "./access-token-error.ts";
import { LatchkeyError } from "./latchkey-error.ts";
import { nameErrors } from "./name-errors.ts";

/** As a bundler leaves a class of another copy: with another name. */
const a = class extends Error {};
nameErrors({ AccessTokenError: a });

test("an error has the name of its class, even if a bundler has shortened it", () => {
  expect(new a().name).toBe("AccessTokenError");
  expect(Object.keys(new a())).toEqual([]);
});

test("instanceof knows errors of another copy of the package by their name", () => {
  const own = new AccessTokenError("ERR_MISSING_SESSION", "nobody");
  expect([own instanceof a, new a() instanceof AccessTokenError]).toEqual([true, true]);
  expect([own instanceof LatchkeyError, new a() instanceof LatchkeyError]).toEqual([true, false]);
  const others = [new Error("other"), { name: "AccessTokenError" }, null, undefined];
  expect(others.map((other) => other instanceof AccessTokenError)).toEqual(others.map(() => false));
});

test("instanceof a class of the app matches its own errors only", () => {
  class Own extends AccessTokenError {}
  const own = new Own("ERR_MISSING_SESSION", "nobody");
  const other = new AccessTokenError("ERR_MISSING_SESSION", "nobody");
  expect([own instanceof Own, own instanceof AccessTokenError, other instanceof Own]).toEqual([
    true,
    true,
    false,
  ]);
});
