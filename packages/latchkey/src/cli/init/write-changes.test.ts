import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { writeChanges } from "./write-changes.ts";

function folderWith(text: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), "latchkey write "));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, "one.js"), text);
  return folder;
}

test("a fault after the first file puts that one back, and leaves nothing beside it [FH-005]", () => {
  const folder = folderWith("before");
  mkdirSync(path.join(folder, "two.js"));
  const changes = [
    { path: "one.js", before: "before", after: "after" },
    { path: "two.js", before: null, after: "new" },
  ];
  expect(() => writeChanges(folder, changes)).toThrow(/^two\.js could not be written/);
  expect(readFileSync(path.join(folder, "one.js"), "utf8")).toBe("before");
  expect(readdirSync(folder)).toEqual(["one.js", "two.js"]);
});

test("the changes of a whole plan leave no other file", () => {
  const folder = folderWith("before");
  writeChanges(folder, [{ path: "one.js", before: "before", after: "after" }]);
  expect(readFileSync(path.join(folder, "one.js"), "utf8")).toBe("after");
  expect(readdirSync(folder)).toEqual(["one.js"]);
});
