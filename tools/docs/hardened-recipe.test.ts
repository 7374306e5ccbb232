import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

import { hardened } from "../../packages/latchkey/src/config/preset.ts";

test("the recipe of the preset has the settings, defaults and numbers of today", () => {
  const page = readFileSync(
    path.join(import.meta.dirname, "../../docs/recipes/hardened.md"),
    "utf8",
  );
  const rows = [...page.matchAll(/^\| `(\S+)` +\| `?([^`|]+?)`? +\| (\S+) +\|$/gm)];
  expect(rows.map(([, option, value, asvs]) => [option, value, asvs])).toEqual(
    hardened.map(({ option, meaning = "", value = meaning, asvs }) => [
      option,
      String(value),
      asvs,
    ]),
  );
});
