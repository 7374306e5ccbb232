#!/usr/bin/env node
import process, { argv, env, versions } from "node:process";

import { nodeFault } from "./node-version.ts";

const { text, isGood } = await answer();
(isGood ? console.log : console.error)(text);
process.exitCode = isGood ? 0 : 1;

/** What runs a command is imported last: it needs `node:sqlite`, without which an old Node prints a stack. */
async function answer() {
  const fault = nodeFault(versions.node);
  if (fault !== null) return { text: fault, isGood: false };
  const { runCommand } = await import("./run-command.ts");
  return runCommand(argv.slice(2), env);
}
