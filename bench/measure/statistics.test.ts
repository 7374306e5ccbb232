import { expect, test } from "vitest";

import { figureOf, ratioOf } from "./statistics.ts";

test("a figure is the median, and its spread is half the distance between the quartiles", () => {
  expect(figureOf([5, 1, 3, 2, 4])).toEqual({ value: 3, spread: 1 / 3 });
  expect(figureOf([1, 2])).toEqual({ value: 1.5, spread: 0.25 / 1.5 });
  expect(figureOf([7])).toEqual({ value: 7, spread: 0 });
});

test("a ratio compares within each round, so a slow round does not change it", () => {
  expect(ratioOf([10, 1000, 30], [20, 2000, 60])).toEqual({ value: 0.5, spread: 0 });
});

test("a figure without repetitions throws", () => {
  expect(() => figureOf([])).toThrow("Nothing was measured");
});
