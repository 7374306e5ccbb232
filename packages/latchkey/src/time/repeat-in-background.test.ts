import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { createBackground } from "./background.ts";
import { repeatInBackground } from "./repeat-in-background.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A write that the store takes after so many failures, and when it was tried. */
function world(failures: number) {
  const background = createBackground();
  const begun = Date.now();
  const tries: number[] = [];
  repeatInBackground({ background, fraction: () => 0.5 }, async () => {
    tries.push(Date.now() - begun);
    if (tries.length <= failures) throw new Error("the store is down");
  });
  return { background, tries };
}

test("a write is repeated at longer and longer intervals until the store takes it", async () => {
  const { tries } = world(3);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tries).toEqual([100, 300, 700, 1500]);
});

test("a write the store never takes is given up after sixteen tries", async () => {
  const { tries } = world(Infinity);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(tries).toHaveLength(16);
  expect(Number(tries.at(-1)) - Number(tries.at(-2))).toBe(5000);
});

test("a write has one last try when everything is closed", async () => {
  const { background, tries } = world(Infinity);
  void background.close(0);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tries).toEqual([0]);
});

test("a write closing does not wait for is logged by its kind", async () => {
  const background = createBackground();
  repeatInBackground({ background, fraction: () => 0.5 }, () => new Promise(() => undefined));
  vi.useRealTimers();
  expect(await background.close(10)).toEqual(["a repeated write"]);
});
