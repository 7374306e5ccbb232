import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

import { registryFiles } from "./component-registry.ts";

const root = path.join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");

interface Item {
  readonly name: string;
  readonly registryDependencies?: readonly string[];
  readonly files: readonly { readonly path: string; readonly content: string }[];
  readonly css?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const files = registryFiles(root);
const items = [...files].flatMap(([name, text]): readonly Item[] =>
  name === "registry.json" ? [] : [JSON.parse(text) as Item],
);
const theme = items.find(({ name }) => name === "theme")?.css?.[":root"] ?? {};
const lines = Object.entries(theme).map(([name, value]) => `${name}: ${value};`);

test("every component is served with the code that the compiler has checked", () => {
  const components = items.filter(({ name }) => name !== "theme");
  expect(components.map(({ name }) => name)).toEqual([
    "account-menu",
    "session-warning",
    "sign-in",
  ]);
  for (const { name, files: parts } of components)
    expect(parts.map(({ content }) => content)).toEqual([
      read(`packages/latchkey/registry/${name}.tsx`),
    ]);
});

test("every component brings the theme by its whole address, and the list names all", () => {
  for (const { name, registryDependencies } of items)
    expect(registryDependencies).toEqual(
      name === "theme" ? undefined : ["https://latchkey-auth.github.io/latchkey/r/theme.json"],
    );
  const list = JSON.parse(files.get("registry.json") ?? "") as { readonly items: readonly Item[] };
  expect(list.items.map(({ name }) => `${name}.json`)).toEqual([...files.keys()].slice(1));
});

test("the theme sets no variable that the style sheet lacks", () => {
  const known = new Set(
    read("packages/latchkey/src/react/styles/properties.css").match(/--lk-[\w-]+/g),
  );
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.filter((line) => !known.has(line.slice(0, line.indexOf(":"))))).toEqual([]);
});

test("the guide has the addresses of the components, and the theme to write by hand", () => {
  const guide = read("docs/guides/shadcn.md");
  expect(guide).toContain(lines.map((line) => `  ${line}`).join("\n"));
  for (const { name } of items.filter(({ files: parts }) => parts.length > 0))
    expect(guide).toContain(
      `npx shadcn@latest add https://latchkey-auth.github.io/latchkey/r/${name}.json`,
    );
});
