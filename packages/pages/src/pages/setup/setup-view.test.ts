import { readFileSync } from "node:fs";
import path from "node:path";

import { expect, test } from "vitest";

import { providerFields } from "./setup-view.ts";

const docs = path.join(import.meta.dirname, "../../../../../docs/providers");

test.each(providerFields)("the fields of $name are those of its page [FH-014]", (provider) => {
  const { name, ...fields } = provider;
  const file = name.replace("Microsoft ", "").replace(" ", "-").toLowerCase();
  const page = readFileSync(path.join(docs, `${file}.md`), "utf8");
  const shown = Object.values(fields).map((field) => field.replace(/ \(.*/, ""));
  expect(shown.filter((field) => !page.includes(field))).toEqual([]);
});
