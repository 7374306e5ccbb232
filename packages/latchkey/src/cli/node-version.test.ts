import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

import manifest from "../../package.json" with { type: "json" };
import { nodeFault, oldestNode } from "./node-version.ts";

test("the oldest Node of the command is the one in the manifest of the package", () => {
  expect(manifest.engines.node).toBe(`>=${oldestNode}`);
});

test.each([
  ["20.20.2", true],
  ["22.17.9", true],
  ["22.18.0", false],
  ["23.0.0", false],
  ["24.21.0", false],
])("Node %s is too old: %s", (version, isOld) => {
  expect(nodeFault(version) !== null).toBe(isOld);
});

test("on a Node without SQLite the command names the required version in one sentence", async () => {
  const old = 'Object.defineProperty(process.versions, "node", { value: "20.20.2" })';
  const args = ["--no-experimental-sqlite", "--import", `data:text/javascript,${old}`];
  const running = promisify(execFile)(process.execPath, [
    ...args,
    join(import.meta.dirname, "main.ts"),
  ]);
  await expect(running).rejects.toMatchObject({
    code: 2,
    stdout: "",
    stderr: "latchkey needs Node 22.18 or newer, and this is Node 20.20.2.\n",
  });
});
