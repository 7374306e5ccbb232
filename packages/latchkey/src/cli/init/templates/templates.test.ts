import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

import * as frameworks from "./frameworks.ts";
import * as servers from "./servers.ts";

const guides = path.join(import.meta.dirname, "../../../../../../docs/guides");
const blocks = globSync("*.md", { cwd: guides })
  .map((name) => readFileSync(path.join(guides, name), "utf8"))
  .join("\n");

test.each(
  Object.entries({ ...frameworks, ...servers }).filter(([name]) => name !== "reactRouterImports"),
)("the template %s is in a guide, whose code is compiled", (_, template) => {
  expect(blocks.includes(template)).toBe(true);
});
