import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";

import { onTestFinished } from "vitest";

import { type Outcome, runLatchkey } from "./run-latchkey.ts";

const main = path.join(import.meta.dirname, "../../src/cli/main.ts");
const root = path.join(import.meta.dirname, "../../../..");
const flags = ["--conditions=@latchkey/source", "--disable-warning=ExperimentalWarning"];

type Files = Readonly<Record<string, string>>;

/** Writes files into a new folder, whose name has a space and an umlaut. */
export function createProject(files: Files): string {
  const folder = mkdtempSync(path.join(tmpdir(), "latchkey äpp "));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFiles(folder, files);
  return folder;
}

/** Returns a `package.json` with these dependencies and what `init` installs. */
export function manifest(dependencies: readonly string[], more: object = {}): string {
  const types = ["@types/node", "@types/express", "@types/koa"];
  const all = ["latchkey", "@latchkey/provider", ...types, ...dependencies];
  const versions = Object.fromEntries(all.map((name) => [name, "*"]));
  return `${JSON.stringify({ name: "app", type: "module", ...more, dependencies: versions }, null, 2)}\n`;
}

export function writeFiles(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
}

/** Links installed packages, our own two, and the command. */
export function install(folder: string, names: readonly string[]): void {
  const modules = path.join(folder, "node_modules");
  mkdirSync(path.join(modules, "@latchkey"), { recursive: true });
  mkdirSync(path.join(modules, ".bin"));
  for (const name of names) {
    mkdirSync(path.dirname(path.join(modules, name)), { recursive: true });
    symlinkSync(path.join(root, "node_modules", name), path.join(modules, name), "dir");
  }
  symlinkSync(path.join(root, "packages/latchkey"), path.join(modules, "latchkey"), "dir");
  symlinkSync(
    path.join(root, "packages/provider"),
    path.join(modules, "@latchkey/provider"),
    "dir",
  );
  const bin = path.join(modules, ".bin/latchkey");
  writeFileSync(bin, `#!/bin/sh\nexec node ${flags.join(" ")} "${main}" "$@"\n`);
  chmodSync(bin, 0o755);
}

/** Runs the command in this process, without a terminal. */
export const latchkey = (cwd: string, args: readonly string[], input = ""): Promise<Outcome> =>
  runLatchkey(args, { cwd, input, environment: { PATH: process.env["PATH"] } });

/** Returns every file of a folder by its path, without packages and git. */
export function readFiles(folder: string): Files {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .filter((name) => !/^(?:node_modules|\.git)\//.test(name))
    .toSorted();
  return Object.fromEntries(
    names.map((name) => [name, readFileSync(path.join(folder, name), "utf8")]),
  );
}

export function git(folder: string, ...args: string[]): string {
  const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
  return execFileSync("git", [...author, ...args], { cwd: folder, encoding: "utf8" });
}

/** Commits everything. */
export function commitAll(folder: string): void {
  git(folder, "init", "-q");
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "start");
}
