import { expect, test } from "vitest";

import { above } from "./rounds.ts";

test("what a subject adds is taken within each round", () => {
  const figures = new Map([
    ["ours", [30, 50]],
    ["bare", [10, 20]],
  ]);
  expect(above(figures, "bare")).toEqual(new Map([["ours", [20, 30]]]));
});
