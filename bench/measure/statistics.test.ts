import { expect, test } from "vitest";

import { figureOf, ratioOf } from "./statistics.ts";

test("a figure is the median, and its error falls with the number of repetitions", () => {
  const few = figureOf([5, 1, 3, 2, 4]);
  expect(few).toEqual({ value: 3, error: expect.closeTo((0.93 * 2) / Math.sqrt(5) / 3) });
  const many = figureOf(Array.from({ length: 100 }, () => [5, 1, 3, 2, 4]).flat());
  expect(many.value).toBe(3);
  expect(many.error).toBeCloseTo(few.error / 10);
  expect(figureOf([7])).toEqual({ value: 7, error: 0 });
});

test("the error of a figure is that of the medians of many samples", () => {
  const samples = Array.from({ length: 400 }, (_, seed) => figureOf(normals(seed)));
  const mean = meanOf(samples.map(({ value }) => value));
  const variance = meanOf(samples.map(({ value }) => (value - mean) ** 2));
  const stated = meanOf(samples.map(({ error, value }) => error * value));
  expect(stated / Math.sqrt(variance)).toBeCloseTo(1, 1);
});

/** Eighty-four numbers around 100, the same for each seed. */
function normals(seed: number): readonly number[] {
  let state = seed + 1;
  const next = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  next();
  return Array.from({ length: 84 }, () => {
    const sum = Array.from({ length: 12 }, next).reduce((one, other) => one + other);
    return 100 + 10 * (sum - 6);
  });
}

function meanOf(values: readonly number[]): number {
  return values.reduce((one, other) => one + other) / values.length;
}

test("a ratio compares within each round, so a slow round does not change it", () => {
  expect(ratioOf([10, 1000, 30], [20, 2000, 60])).toEqual({ value: 0.5, error: 0 });
});

test("a figure without repetitions throws", () => {
  expect(() => figureOf([])).toThrow("Nothing was measured");
});
