import { expect, test } from "vitest";

import { judge } from "./judge.ts";

const figures = new Map([
  ["ours", [10, 10, 10]],
  ["theirs", [20, 20, 20]],
  ["restless", [10, 20, 40]],
]);

function rowOf(of: string, to: string, bar?: number) {
  const comparison = { of, to, ...(bar === undefined ? {} : { bar }) };
  return judge({ title: "a case", unit: "µs", figures, comparisons: [comparison] })[0];
}

test("a ratio up to the bar passes and one above it fails", () => {
  expect(rowOf("ours", "theirs", 0.5)?.verdict).toBe("passes");
  expect(rowOf("ours", "theirs", 0.49)?.verdict).toBe("fails");
  expect(rowOf("ours", "theirs")?.verdict).toBe("none");
});

test("a bar stays open if the measurement failed", () => {
  expect(rowOf("absent", "theirs", 0.5)).toMatchObject({ verdict: "open", ratio: undefined });
});

test("a ratio with a large error is noisy", () => {
  expect(rowOf("restless", "theirs", 2)?.noisy).toBe(true);
  expect(rowOf("ours", "theirs", 2)?.noisy).toBe(false);
});
