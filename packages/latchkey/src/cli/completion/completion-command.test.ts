import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";

import { expect, onTestFinished, test } from "vitest";

import { runLatchkey } from "../../../test/cli/run-latchkey.ts";

const run = (...args: string[]) => runLatchkey(args, { cwd: import.meta.dirname });
const main = path.join(import.meta.dirname, "../main.ts");

test("the first word is a command, and the next ones are options of it", async () => {
  const wordsOf = async (...typed: string[]) =>
    (await run("completion", "words", ...typed)).stdout.trim().split("\n");
  expect(await wordsOf("")).toEqual(expect.arrayContaining(["init", "doctor", "help"]));
  expect(await wordsOf("init", "--")).toEqual(expect.arrayContaining(["--dry-run", "--yes"]));
  expect(await wordsOf("doctor", "--offline", "")).toEqual(
    expect.arrayContaining(["--json", "--help"]),
  );
  expect(await wordsOf("completion", "")).toEqual(["bash", "zsh", "fish"]);
  expect(await wordsOf("constructor", "")).toEqual(["--help"]);
});

test("an unknown shell exits with 2 and the known ones", async () => {
  const { exitCode, stderr } = await run("completion", "cmd");
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("<bash|zsh|fish>")]);
});

test("bash completes what is typed, with the printed script", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "latchkey bin "));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const bin = path.join(folder, "latchkey");
  const flags = "--conditions=@latchkey/source --disable-warning=ExperimentalWarning";
  writeFileSync(bin, `#!/bin/sh\nexec "${process.execPath}" ${flags} "${main}" "$@"\n`);
  chmodSync(bin, 0o755);
  const { stdout } = await run("completion", "bash");
  const complete = (line: string) =>
    execFileSync(
      "bash",
      [
        "-c",
        `${stdout}\nCOMP_WORDS=(${line}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _latchkey; echo "\${COMPREPLY[@]}"`,
      ],
      { encoding: "utf8", env: { PATH: `${folder}:${process.env["PATH"]}` } },
    ).trim();
  expect(complete("latchkey doc")).toBe("doctor");
  expect(complete("latchkey init --dr")).toBe("--dry-run");
});

test.each(["zsh", "fish"])("%s has a script of its own", async (shell) => {
  const { exitCode, stdout } = await run("completion", shell);
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining("latchkey completion words")]);
});

/** Not every machine has them. */
const installed = ["zsh", "fish"].filter((shell) => spawnSync(shell, ["-c", ":"]).status === 0);

test.each(installed)("%s finds no fault in its script", async (shell) => {
  const { stdout } = await run("completion", shell);
  expect(spawnSync(shell, ["-n"], { input: stdout, encoding: "utf8" }).stderr).toBe("");
});
