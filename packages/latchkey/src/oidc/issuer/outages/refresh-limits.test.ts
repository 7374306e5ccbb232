import { expect, test } from "vitest";

import { createRefreshLimits } from "./refresh-limits.ts";

function world(fraction = 0.5) {
  let now = 1_000_000;
  const limits = createRefreshLimits({ clock: () => now, fraction: () => fraction });
  return { limits, advance: (seconds: number) => void (now += seconds * 1000) };
}

test("at most 32 refreshes run at a time [OP-014]", () => {
  const { limits } = world();
  expect(Array.from({ length: 40 }, () => limits.enter(false)).filter(Boolean)).toHaveLength(32);
  limits.leave();
  expect([limits.enter(true), limits.enter(false)]).toEqual([true, false]);
});

test("after a failure refreshes with a token at hand begin later, and later still after another one [OP-007]", () => {
  const { limits, advance } = world();
  limits.failed();
  advance(0.999);
  expect([limits.enter(true), limits.enter(false)]).toEqual([false, true]);
  advance(0.001);
  expect(limits.enter(true)).toBe(true);
  limits.failed();
  advance(1);
  expect(limits.enter(true)).toBe(false);
  limits.succeeded();
  expect(limits.enter(true)).toBe(true);
});

test("a clock that is set back ends a pause", () => {
  const { limits, advance } = world();
  limits.failed();
  expect(limits.enter(true)).toBe(false);
  advance(-3600);
  expect(limits.enter(true)).toBe(true);
});
