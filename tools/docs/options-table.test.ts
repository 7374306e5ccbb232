import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

import { optionsPage } from "./options-table.ts";

test("the options page says what the schema says", async () => {
  const page = await readFile(new URL("../../docs/options.md", import.meta.url), "utf8");
  expect(page).toBe(optionsPage());
});
