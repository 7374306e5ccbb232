import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { Readable } from "node:stream";

import { expect, onTestFinished, test } from "vitest";

import { install } from "./install.ts";

/** A package manager of the name `npm` that does this. */
function managerThat(does: string) {
  const folder = mkdtempSync(path.join(tmpdir(), "latchkey install "));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, "npm"), `#!/bin/sh\n${does}\n`);
  chmodSync(path.join(folder, "npm"), 0o755);
  const lines: string[] = [];
  const terminal = {
    cwd: folder,
    environment: { PATH: `${folder}:${process.env["PATH"]}` },
    input: Readable.from([]),
    isInteractive: false,
    print: (text: string) => void lines.push(text),
    warn: () => undefined,
  };
  return { lines, run: () => install(folder, "npm install latchkey", terminal, 100) };
}

test("a slow installation names its command and gives signs of life", async () => {
  const { lines, run } = managerThat("sleep 1");
  expect(await run()).toBe(true);
  expect(lines.slice(0, 2)).toEqual([
    "\nnpm install latchkey",
    expect.stringMatching(/^ {2}still installing \(\d s\)$/),
  ]);
  const after = lines.length;
  await new Promise((resolve) => void setTimeout(resolve, 250));
  expect(lines).toHaveLength(after);
});

test("a failed installation is reported as such", async () => {
  expect(await managerThat("exit 1").run()).toBe(false);
});
