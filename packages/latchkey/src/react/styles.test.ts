import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const folder = new URL(".", import.meta.url);
const sheet = readFileSync(new URL("styles.css", folder), "utf8").replace(
  /@import "([^"]+)" layer\(latchkey\);/g,
  (_, part: string) => readFileSync(new URL(part, folder), "utf8"),
);
const source = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => /(?<!\.test|\.support)\.tsx$/.test(name))
  .map((name) => readFileSync(new URL(name, folder), "utf8"))
  .join("\n");

test("the style sheet has a rule for every class of the components and for no other class", () => {
  const inSource = new Set(source.match(/\blk-(?!first\b)[a-z]+(-[a-z]+)*/g));
  const inSheet = new Set(sheet.match(/(?<=\.)lk-[a-z-]+/g));
  expect(inSheet).toEqual(inSource);
});

test("the components have no inline styles, as a strict content security policy requires", () => {
  expect(source).not.toMatch(/\bstyle=/);
});

test("every part of the style sheet is in the layer, so that rules of an app win", () => {
  expect(sheet).not.toContain("@import");
});

test("the style sheet uses logical properties only, for both text directions", () => {
  expect(sheet).not.toMatch(/[^-](left|right|top|bottom|width|height):/);
});

test("a font family of the app, also an inherited one, leaves sizes and weights alone", () => {
  expect(sheet).not.toMatch(/font: [^;]*var\(/);
});

test("a dialog ignores the text alignment of the page", () => {
  expect(sheet).toMatch(/\n\.lk-dialog \{[^}]*text-align: start;/);
});
