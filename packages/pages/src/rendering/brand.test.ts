import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { brandColors, brandStyle, lowContrasts, readableAccent } from "./brand.ts";
import { contrastOf } from "./contrast.ts";

test("the compared colors are the colors of the style sheet", () => {
  const tokens = readFileSync(new URL("../styles/tokens.css", import.meta.url), "utf8");
  for (const [name, [light, dark]] of Object.entries(brandColors)) {
    expect(tokens).toContain(`--${name}: light-dark(${light}, ${dark});`);
  }
});

test("our own colours can be read", () => {
  expect(lowContrasts({ colors: {} })).toEqual([]);
});

test("black on white has the contrast 21, and a colour on itself 1", () => {
  expect(contrastOf("#000000", "#ffffff")).toBeCloseTo(21);
  expect(contrastOf("#0b6e5f", "#0b6e5f")).toBe(1);
  expect(contrastOf("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});

test("a color with little contrast is reported for each ground and scheme", () => {
  const found = lowContrasts({ colors: { accent: ["#ffd54f", "#ffd54f"] } });
  expect(found).toMatchObject([
    { text: "accent", ground: "bg", scheme: "light" },
    { text: "accent", ground: "surface", scheme: "light" },
    { text: "accent", ground: "accent-soft", scheme: "light" },
    { text: "on-accent", ground: "accent", scheme: "light" },
  ]);
  expect(found[0]?.ratio).toBeCloseTo(1.36, 1);
});

test("a brand becomes tokens after our own", () => {
  expect(brandStyle({ colors: {} })).toBe("");
  expect(
    brandStyle({ colors: { text: ["#111111", "#eeeeee"] }, radius: 0, font: "Georgia, serif" }),
  ).toBe(
    ":root{--text:light-dark(#111111,#eeeeee);--radius:0px;--radius-card:4px;--radius-dialog:8px;--sans:Georgia, serif}",
  );
});

test("the accent is compared with the ground that the style sheet makes of it", () => {
  const colors = readableAccent(["#2563eb", "#2563eb"]);
  const soft = /--accent-soft:light-dark\((#\w{6}),(#\w{6})\)/.exec(brandStyle({ colors })) ?? [];
  expect(contrastOf(colors.accent[0], soft[1] ?? "")).toBeGreaterThanOrEqual(4.5);
  expect(contrastOf(colors.accent[1], soft[2] ?? "")).toBeGreaterThanOrEqual(4.5);
});

test.each(["#ffff00", "#000000", "#ffffff", "#7a7a7a", "#0b6e5f", "#ff00ff", "#ffcc00", "#e11d48"])(
  "the accent %s becomes readable in both schemes, and so do the texts on it",
  (accent) => {
    const colors = readableAccent([accent, accent]);
    expect(lowContrasts({ colors })).toEqual([]);
  },
);

test("a readable accent stays as it is", () => {
  expect(readableAccent(["#7a1f5c", "#f0a0d0"]).accent).toEqual(["#7a1f5c", "#f0a0d0"]);
});
