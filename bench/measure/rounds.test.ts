import { expect, test } from "vitest";

import { above, together } from "./rounds.ts";

test("the cost above a bare subject compares within each round", () => {
  const figures = new Map([
    ["ours", [30, 50]],
    ["bare", [10, 20]],
  ]);
  expect(above(figures, "bare")).toEqual(new Map([["ours", [20, 30]]]));
});

test("the figures of several measurements stand in their order", () => {
  const one = new Map([
    ["ours", [1, 2]],
    ["bare", [3, 4]],
  ]);
  const other = new Map([
    ["ours", [5]],
    ["bare", [6]],
  ]);
  expect(together([one, other])).toEqual(
    new Map([
      ["ours", [1, 2, 5]],
      ["bare", [3, 4, 6]],
    ]),
  );
});
