import { expect, test } from "vitest";

import { readTheme } from "./theme.ts";

const app = { name: "Harbour", brand: { colors: {} } };

function themeOf(query: Readonly<Record<string, string>>) {
  return readTheme(new URLSearchParams(query), app);
}

test("without a query the theme is the look of the app", () => {
  const { entered, faults, settings, brand } = themeOf({});
  expect(entered).toMatchObject({ name: "Harbour", accent: "#0b6e5f #4cc9ae", radius: "6" });
  expect(faults).toEqual([]);
  expect(settings).toEqual({ name: "Harbour", radius: 6, logo: undefined });
  expect(brand.colors).toEqual({});
  const colors = { accent: ["#ffd54f", "#ffd54f"], "on-accent": ["#000000", "#000000"] } as const;
  const own = readTheme(new URLSearchParams({ name: "" }), { name: "", brand: { colors } });
  expect(own.brand.colors).toEqual(colors);
});

test("a query changes name, accent, radius and logo", () => {
  const { settings, accent, brand } = themeOf({
    name: "Acme",
    accent: "#7a1f5c, #f0a0d0",
    radius: "0",
    logo: "/logo.svg",
  });
  expect(settings).toEqual({ name: "Acme", radius: 0, logo: "/logo.svg" });
  expect(accent).toEqual(["#7a1f5c", "#f0a0d0"]);
  expect(brand).toMatchObject({ radius: 0, colors: { accent: ["#7a1f5c", "#f0a0d0"] } });
});

test("an accent without contrast is kept as chosen, and the pages use a readable one", () => {
  const { accent, brand } = themeOf({ accent: "#FFD54F" });
  expect(accent).toEqual(["#FFD54F", "#FFD54F"]);
  expect(brand.colors.accent?.[0]).not.toBe("#ffd54f");
  expect(brand.colors.accent?.[1]).toBe("#ffd54f");
});

test.each([
  [
    "a name of 61 characters",
    { name: "x".repeat(61) },
    /^The name must have 1 to 60 characters\.$/,
  ],
  ["an accent that is no color", { accent: "purple" }, /^The accent must be a color like/],
  ["three colors", { accent: "#000000 #111111 #222222" }, /^The accent must be a color like/],
  ["a style as accent", { accent: "#aa0000}</style>" }, /^The accent must be a color like/],
  ["a radius that is too large", { radius: "25" }, /^The radius must be a number of pixels from 0/],
  ["a radius that is no number", { radius: "6px" }, /^The radius must be a number of pixels/],
  ["a script as logo", { logo: "javascript:alert(1)" }, /^The logo must be a picture/],
])("%s is one sentence, and the look of the app stays", (_what, query, sentence) => {
  const theme = themeOf(query);
  expect(theme.faults).toEqual([expect.stringMatching(sentence)]);
  const { settings, accent, brand } = themeOf({});
  expect(theme).toMatchObject({ settings, accent, brand });
});
