import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";

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

/** Kills itself as soon as the draft of `.env.local` is written. */
const killed = `
  import { syncBuiltinESMExports } from "node:module";
  import fs from "node:fs";
  fs.fsyncSync = () => process.kill(process.pid, "SIGKILL");
  syncBuiltinESMExports();
  const { writeChanges } = await import(${JSON.stringify(import.meta.resolve("./write-changes.ts"))});
  writeChanges(process.cwd(), [{ path: ".env.local", before: null, after: "LATCHKEY_SECRET=1" }]);
`;

test("what a killed process leaves is ignored by git, and removed by the next run [FH-005]", () => {
  const cwd = folderWith("before");
  const git = (...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8" });
  git("init", "-q");
  const args = ["--input-type=module", "--eval", killed];
  expect(() => execFileSync(process.execPath, args, { cwd })).toThrow("Command failed");
  expect(readdirSync(cwd)).toEqual([".git", ".latchkey-drafts", "one.js"]);
  expect(git("status", "--porcelain", "-uall")).toBe("?? one.js\n");
  writeChanges(cwd, [{ path: "one.js", before: "before", after: "after" }]);
  expect(readdirSync(cwd)).toEqual([".git", "one.js"]);
});
