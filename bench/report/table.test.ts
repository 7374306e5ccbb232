import { expect, test } from "vitest";

import { judge } from "./judge.ts";
import { summaryOf, tableOf } from "./table.ts";

const rows = judge({
  title: "a case",
  unit: "µs",
  figures: new Map([
    ["ours", [1234, 1234]],
    ["theirs", [2468, 2468]],
  ]),
  comparisons: [
    { of: "ours", to: "theirs", bar: 0.3 },
    { of: "ours", to: "absent", bar: 1 },
    { of: "theirs", to: "ours" },
  ],
});

test("the table has one line for each comparison and names each case once", () => {
  const lines = tableOf(rows).split("\n").slice(2);
  expect(lines).toEqual([
    "| a case | ours | 1,230 µs | theirs | 2,470 µs | 0.5 | ≤ 0.3 | **fails** |",
    "|  | ours | 1,230 µs | absent | – |  | ≤ 1 | **not measured** |",
    "|  | theirs | 2,470 µs | ours | 1,230 µs | 2 |  |  |",
  ]);
});

test("the summary counts the bars by verdict", () => {
  expect(summaryOf(rows)).toBe(
    "2 bars: 0 passed, 1 failed, 1 not measured. 0 of 3 lines are noisy.",
  );
});
