import { expect, test } from "vitest";

import type { Measured } from "../cases/case.ts";
import { judge } from "./judge.ts";

function measured(more: Partial<Measured>): Measured {
  const figures = new Map([
    ["ours", [10, 10, 10]],
    ["theirs", [20, 20, 20]],
    ["restless", [10, 20, 40]],
  ]);
  return { title: "a case", unit: "µs", figures, comparisons: [], ...more };
}

function verdictOf(of: string, to: string, bar?: number) {
  return judge(measured({ comparisons: [{ of, to, bar }] }))[0];
}

test("a ratio up to the bar passes, one above it fails", () => {
  expect(verdictOf("ours", "theirs", 0.5)?.verdict).toBe("passes");
  expect(verdictOf("ours", "theirs", 0.49)?.verdict).toBe("fails");
  expect(verdictOf("ours", "theirs")?.verdict).toBe("none");
});

test("a bar under which nothing could be measured stays open", () => {
  expect(verdictOf("absent", "theirs", 0.5)).toMatchObject({ verdict: "open", ratio: undefined });
});

test("a ratio that differs from round to round is noisy", () => {
  expect(verdictOf("restless", "theirs", 2)?.noisy).toBe(true);
  expect(verdictOf("ours", "theirs", 2)?.noisy).toBe(false);
});

test("a limit judges the figure itself", () => {
  const [row] = judge(measured({ limits: [{ of: "theirs", bar: 10 }] }));
  expect(row).toMatchObject({ verdict: "fails", bar: "≤ 10 µs", ratio: undefined });
});
