import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const textOf = (place: string) => readFileSync(new URL(place, import.meta.url), "utf8");
const item = JSON.parse(textOf("../../registry/account-menu.json")) as {
  readonly files: readonly { readonly content: string }[];
  readonly css: Readonly<Record<string, Readonly<Record<string, string>>>>;
};
const lines = Object.entries(item.css[":root"] ?? {}).map(([name, value]) => `${name}: ${value};`);

test("the registry entry sets no variable that the style sheet lacks", () => {
  const known = new Set(textOf("styles/properties.css").match(/--lk-[\w-]+/g));
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.filter((line) => !known.has(line.slice(0, line.indexOf(":"))))).toEqual([]);
});

test("the registry entry sets what the guide says to write by hand", () => {
  const guide = textOf("../../../../docs/guides/react.md");
  expect(guide).toContain(lines.map((line) => `  ${line}`).join("\n"));
});

test("the registry entry contains its component, which the compiler has checked", () => {
  expect(item.files.map(({ content }) => content)).toEqual([
    textOf("../../registry/account-menu.tsx"),
  ]);
});
