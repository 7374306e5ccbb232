import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

import * as frameworks from "./frameworks.ts";
import * as react from "./react.ts";
import * as servers from "./servers.ts";

const root = path.join(import.meta.dirname, "../../../../../..");
const blocks = globSync(["README.md", "docs/guides/*.md"], { cwd: root })
  .map((name) => readFileSync(path.join(root, name), "utf8"))
  .join("\n");

test.each(
  Object.entries({ ...frameworks, ...react, ...servers }).filter(
    ([name]) => name !== "reactRouterImports",
  ),
)("the template %s is in a guide, whose code is compiled", (_, template) => {
  expect(blocks.includes(template)).toBe(true);
});
