import { expect, test } from "vitest";

import { above } from "./rounds.ts";

test("the cost above a bare subject compares within each round", () => {
  const figures = new Map([
    ["ours", [30, 50]],
    ["bare", [10, 20]],
  ]);
  expect(above(figures, "bare")).toEqual(new Map([["ours", [20, 30]]]));
});
