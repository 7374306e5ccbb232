import * as fc from "fast-check";
import { expect, test } from "vitest";
import { offsetInside, type Box } from "./offset-inside.ts";

function box(left: number, top: number, width: number, height: number): Box {
  return { left, top, right: left + width, bottom: top + height };
}

const laptop = { width: 1_280, height: 720 };

test.each([
  ["the panel stays if there is room", box(900, 60, 240, 300), { x: 0, y: 0 }],
  ["at the left edge the panel moves to the right", box(-200, 60, 240, 300), { x: 208, y: 0 }],
  ["at the right edge the panel moves to the left", box(1_200, 60, 240, 300), { x: -168, y: 0 }],
])("%s", (_, panel, expected) => {
  expect(offsetInside(panel, box(panel.left, 20, 32, 32), laptop)).toEqual(expected);
});

test("the panel opens above its trigger if there is no room below", () => {
  const offset = offsetInside(box(900, 700, 240, 300), box(900, 660, 32, 32), laptop);
  expect(offset).toEqual({ x: 0, y: -348 });
});

test("the panel moves up as little as possible if there is room neither below nor above", () => {
  const window = { width: 640, height: 360 };
  const offset = offsetInside(box(300, 232, 240, 300), box(300, 192, 32, 32), window);
  expect(offset).toEqual({ x: 0, y: -180 });
});

test("a panel fitting into the window is inside it, wherever the trigger is", () => {
  const size = fc.integer({ min: 280, max: 2_000 });
  const inside = fc.double({ min: 0, max: 1, noNaN: true });
  const side = fc.boolean();
  fc.assert(
    fc.property(size, size, inside, inside, inside, inside, side, (width, height, ...rest) => {
      const [xShare, yShare, widthShare, heightShare, isEnd] = rest;
      const trigger = box((width - 32) * xShare, (height - 32) * yShare, 32, 32);
      const [panelWidth, panelHeight] = [(width - 16) * widthShare, (height - 16) * heightShare];
      const left = isEnd ? trigger.right - panelWidth : trigger.left;
      const panel = box(left, trigger.bottom + 8, panelWidth, panelHeight);
      const { x, y } = offsetInside(panel, trigger, { width, height });
      expect(panel.left + x).toBeGreaterThanOrEqual(7.99);
      expect(panel.right + x).toBeLessThanOrEqual(width - 7.99);
      expect(panel.top + y).toBeGreaterThanOrEqual(7.99);
      expect(panel.bottom + y).toBeLessThanOrEqual(height - 7.99);
    }),
  );
});
