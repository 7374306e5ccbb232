import { expect, test } from "vitest";

import { createTokenClock } from "./token-clock.ts";

const began = 1_800_000_000;

/** Our clock is so many seconds ahead of that of the store. */
function world(aheadSeconds: number, isStoreDown = false) {
  let now = began * 1000;
  const warnings: string[] = [];
  const storeNow = async () => {
    if (isStoreDown) throw new Error("the store is down");
    return now;
  };
  const tokenClock = createTokenClock({
    store: { now: storeNow },
    clock: () => now + aheadSeconds * 1000,
    warn: (message) => warnings.push(message),
  });
  return { tokenClock, warnings, advance: (seconds: number) => void (now += seconds * 1000) };
}

test("the store's time is told where ours differs by ten seconds or more", async () => {
  expect(await world(9).tokenClock.byStore()).toBe(null);
  expect(await world(-9).tokenClock.byStore()).toBe(null);
  expect(await world(10).tokenClock.byStore()).toBe(began);
  expect(await world(-3600).tokenClock.byStore()).toBe(began);
});

test("a store that does not answer, or has no clock, tells no time", async () => {
  expect(await world(3600, true).tokenClock.byStore()).toBe(null);
  const alone = createTokenClock({ store: null, clock: Date.now, warn: () => undefined });
  expect(await alone.byStore()).toBe(null);
});

test.each([
  [3600, "3600 s ahead"],
  [-300, "300 s behind"],
])("a clock that is %i s ahead is corrected for ten minutes, and told", (ahead, told) => {
  const { tokenClock, warnings, advance } = world(ahead);
  expect(tokenClock.nowSeconds()).toBe(began + ahead);
  tokenClock.correctTo(began);
  expect(tokenClock.nowSeconds()).toBe(began);
  expect(warnings).toEqual([expect.stringContaining(told)]);
  advance(599);
  expect(tokenClock.nowSeconds()).toBe(began + 599);
  advance(1);
  expect(tokenClock.nowSeconds()).toBe(began + 600 + ahead);
});
