import { describe, expect, test } from "vitest";

import { fullJitterMs, randomFraction } from "./back-off.ts";

const backOff = { baseMs: 1000, capMs: 30_000 };

describe("a wait by full jitter", () => {
  test.each([
    [1, 1000],
    [2, 2000],
    [5, 16_000],
    [6, 30_000],
    [5000, 30_000],
  ])("after failure %i it is anything up to %i ms", (failures, bound) => {
    expect(fullJitterMs(failures, backOff, 0)).toBe(0);
    expect(fullJitterMs(failures, backOff, 0.5)).toBe(bound / 2);
    expect(fullJitterMs(failures, backOff, 1 - Number.EPSILON)).toBeLessThan(bound);
  });
});

describe("a random fraction", () => {
  test.each([
    [[0, 0, 0, 0], 0],
    [[0, 0, 0, 128], 0.5],
    [[255, 255, 255, 255], 1 - 2 ** -32],
  ])("%j gives %d", (bytes, fraction) => {
    expect(randomFraction(() => Uint8Array.from(bytes))).toBe(fraction);
  });
});
