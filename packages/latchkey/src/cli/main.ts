#!/usr/bin/env node
import process, { argv, env, stdin, stdout, versions } from "node:process";
import { styleText } from "node:util";

import type { Color } from "./command.ts";
import { nodeFault } from "./node-version.ts";

const terminal = {
  cwd: process.cwd(),
  environment: env,
  input: stdin,
  isInteractive: stdin.isTTY && stdout.isTTY && !env["CI"],
  print,
  warn: (text: string) => console.error(text),
};
process.exitCode = await run();

function print(text: string, color?: Color): void {
  console.log(color === undefined ? text : text.replace(/^\S+/, (word) => styleText(color, word)));
}

/** The commands are imported last: an old Node would print a stack. */
async function run(): Promise<number> {
  const fault = nodeFault(versions.node);
  if (fault !== null) {
    terminal.warn(fault);
    return 2;
  }
  const { runCommandLine } = await import("./run-command-line.ts");
  return runCommandLine(argv.slice(2), terminal);
}
