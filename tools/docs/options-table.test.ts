import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

import { optionsPage } from "./options-table.ts";

test("the page of all settings is up to date with the comments and the schema", async () => {
  const page = await readFile(new URL("../../docs/options.md", import.meta.url), "utf8");
  expect(page).toBe(optionsPage(page));
});
