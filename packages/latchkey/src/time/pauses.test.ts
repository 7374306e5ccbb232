import { expect, test } from "vitest";

import { pauses } from "./pauses.ts";

/** The pauses of a request that waits as long as possible. */
function pausesWith(fraction: number): readonly number[] {
  let now = 1000;
  const timing = { monotonic: () => now, wait: () => Promise.resolve() };
  const all: number[] = [];
  for (const ms of pauses({ timing, fraction: () => fraction })) {
    all.push(ms);
    now += ms;
  }
  return all;
}

test("the pauses double up to 400 ms, and last six seconds together", () => {
  const longest = Array.from({ length: 13 }, () => 400);
  expect(pausesWith(0.5)).toEqual([20, 40, 80, 160, 320, ...longest, 180]);
});

test("pauses of those who wait together are not the same", () => {
  expect([pausesWith(0)[0], pausesWith(0.9)[0]]).toEqual([10, 28]);
});
