import { expect, test } from "vitest";

import { createRefreshLimits } from "./refresh-limits.ts";

function world(fraction = 0.5) {
  let now = 1_000_000;
  const limits = createRefreshLimits({ clock: () => now, fraction: () => fraction });
  return { limits, advance: (seconds: number) => void (now += seconds * 1000) };
}

test("no more than 32 refreshes are under way [OP-014]", () => {
  const { limits } = world();
  expect(Array.from({ length: 40 }, () => limits.enter()).filter(Boolean)).toHaveLength(32);
  limits.leave();
  expect([limits.enter(), limits.enter()]).toEqual([true, false]);
});

test("one session alone starts when its margin begins", () => {
  const { limits } = world();
  for (let count = 0; count < 31; count += 1) limits.enter();
  expect(limits.isTurnOf("any", 0)).toBe(true);
});

test("two thousand sessions that come into their margin in one second start over twenty [OP-014]", () => {
  const { limits, advance } = world();
  const waiting = new Set(Array.from({ length: 2000 }, (_, index) => `refresh|${index * 7919}`));
  const startedIn: number[] = [];
  for (let second = 0; second <= 20; second += 1) {
    let count = 0;
    for (const name of waiting) {
      if (!limits.isTurnOf(name, second)) continue;
      limits.enter();
      limits.leave();
      waiting.delete(name);
      count += 1;
    }
    startedIn.push(count);
    advance(1);
  }
  expect(waiting.size).toBe(0);
  expect(Math.max(...startedIn)).toBeLessThan(200);
});

test.each([
  [19.999, false],
  [20, true],
])("where 32 refreshes began %d s ago, another may begin with its margin: %s", (ago, isTurn) => {
  const { limits, advance } = world();
  for (let count = 0; count < 32; count += 1) limits.enter();
  advance(ago);
  expect(limits.isTurnOf("a name of a later moment", 0)).toBe(isTurn);
});

test("after a failure refreshes that can wait begin later, and later still after another one [OP-007]", () => {
  const { limits, advance } = world(0.5);
  limits.failed();
  advance(0.999);
  expect(limits.isTurnOf("any", 0)).toBe(false);
  advance(0.001);
  expect(limits.isTurnOf("any", 0)).toBe(true);
  limits.failed();
  advance(1);
  expect(limits.isTurnOf("any", 0)).toBe(false);
  limits.succeeded();
  expect(limits.isTurnOf("any", 0)).toBe(true);
});
