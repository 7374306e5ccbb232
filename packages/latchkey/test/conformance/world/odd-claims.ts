import * as fc from "fast-check";

import type { Members } from "../../worlds/quick-provider.ts";

/** Mostly the right value, otherwise one of the similar wrong ones. */
export function mostly(right: unknown, ...wrong: readonly unknown[]): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 30, arbitrary: fc.constant(right) },
    { weight: 1, arbitrary: fc.constantFrom(undefined, null, "", 0, true, [], {}, ...wrong) },
  );
}

/** What JSON makes of claims: undefined and NaN do not survive it. */
export function onTheWire(claims: Members): Members {
  return Object(JSON.parse(JSON.stringify(claims))) as Members;
}

export function isNumericDate(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value < 1e12;
}
