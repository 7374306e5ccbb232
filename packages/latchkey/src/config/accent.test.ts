import { expect, test } from "vitest";

import { contrastOf, readableAccent, softPair } from "./accent.ts";

const background = ["#fbfbfa", "#0e1114"] as const;
const surface = ["#ffffff", "#15191d"] as const;

test("black on white has the contrast 21, and a color on itself 1", () => {
  expect(contrastOf("#000000", "#ffffff").ratio).toBeCloseTo(21);
  expect(contrastOf("#0b6e5f", "#0b6e5f").ratio).toBe(1);
  expect(contrastOf("#777777", "#ffffff").ratio).toBeCloseTo(4.48, 2);
});

test.each(["#ffff00", "#000000", "#ffffff", "#7a7a7a", "#0b6e5f", "#ff00ff", "#7a1f5c", "#e11d48"])(
  "the accent %s is readable as text in both schemes, and so are the texts on its buttons",
  (color) => {
    const { ink, fill, onFill, fillHover } = readableAccent([color, color], background, surface);
    const soft = softPair(ink, background);
    for (const scheme of [0, 1] as const) {
      for (const ground of [background[scheme], surface[scheme], soft[scheme]])
        expect(contrastOf(ink[scheme], ground).ratio).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(onFill[scheme], fill[scheme]).ratio).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(onFill[scheme], fillHover[scheme]).ratio).toBeGreaterThanOrEqual(4.5);
    }
  },
);

test("a bright accent stays bright on buttons", () => {
  const { fill, onFill } = readableAccent(["#FFD400", "#FFD400"], background, surface);
  expect(fill).toEqual(["#ffd400", "#ffd400"]);
  expect(onFill).toEqual(["#000000", "#06231d"]);
});

test("a readable accent stays as it is", () => {
  const { ink } = readableAccent(["#7a1f5c", "#f0a0d0"], background, surface);
  expect(ink).toEqual(["#7a1f5c", "#f0a0d0"]);
});

test("an end is found on grounds that no color can be read on", () => {
  const grey = ["#808080", "#808080"] as const;
  expect(readableAccent(["#777777", "#888888"], grey, ["#000000", "#ffffff"]).ink).toHaveLength(2);
});
