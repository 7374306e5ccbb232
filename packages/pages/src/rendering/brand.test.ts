import { readFileSync } from "node:fs";

import { contrastOf } from "latchkey";
import { expect, test } from "vitest";

import { brandColors, brandSheet, brandStyle, lowContrasts, readableBrand } from "./brand.ts";

test("the compared colors are the colors of the style sheet", () => {
  const tokens = readFileSync(new URL("../styles/tokens.css", import.meta.url), "utf8");
  for (const [name, [light, dark]] of Object.entries(brandColors)) {
    expect(tokens).toContain(`--${name}: light-dark(${light}, ${dark});`);
  }
});

test("our own colours can be read", () => {
  expect(lowContrasts({ colors: {} })).toEqual([]);
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
  const { colors } = readableBrand(["#2563eb", "#2563eb"]);
  const soft = /--accent-soft:light-dark\((#\w{6}),(#\w{6})\)/.exec(brandStyle({ colors })) ?? [];
  const [light = "", dark = ""] = colors.accent ?? [];
  expect(contrastOf(light, soft[1] ?? "").ratio).toBeGreaterThanOrEqual(4.5);
  expect(contrastOf(dark, soft[2] ?? "").ratio).toBeGreaterThanOrEqual(4.5);
});

test.each(["#ffff00", "#000000", "#ffffff", "#7a7a7a", "#0b6e5f", "#ff00ff", "#ffcc00", "#e11d48"])(
  "the accent %s becomes readable in both schemes, and so do the texts on it",
  (accent) => {
    expect(lowContrasts(readableBrand([accent, accent]))).toEqual([]);
  },
);

test("an accent is made readable on the chosen background", () => {
  const brand = readableBrand(["#7a7a7a", "#7a7a7a"], { bg: ["#dddddd", "#222222"] });
  expect(lowContrasts(brand)).toEqual([]);
});

test("a bright accent stays bright on buttons", () => {
  const { fill } = readableBrand(["#ffd400", "#ffd400"]);
  expect(fill?.fill).toEqual(["#ffd400", "#ffd400"]);
  expect(brandStyle(readableBrand(["#ffd400", "#ffd400"]))).toContain(
    "--accent-fill:light-dark(#ffd400,#ffd400)",
  );
});

test("the brand is a style sheet for the components of an app", () => {
  const brand = { ...readableBrand(["#7a1f5c", "#f0a0d0"]), radius: 4, font: "Georgia, serif" };
  const sheet = brandSheet(brand, "dark");
  expect(sheet).toContain("--lk-accent: light-dark(#7a1f5c, #f0a0d0);");
  expect(sheet).toContain("--lk-radius: 4px;");
  expect(sheet).toContain("--lk-font: Georgia, serif;");
  expect(sheet).toContain("--lk-scheme: dark;");
});
