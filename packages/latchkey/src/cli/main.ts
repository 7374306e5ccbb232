#!/usr/bin/env node
import process, { argv, env, versions } from "node:process";

import { nodeFault } from "./node-version.ts";

const { text, isGood } = await answer();
(isGood ? console.log : console.error)(text);
process.exitCode = isGood ? 0 : 1;

/** The command is imported last: it needs `node:sqlite`, and an old Node would print a stack. */
async function answer() {
  const fault = nodeFault(versions.node);
  if (fault !== null) return { text: fault, isGood: false };
  const { runCommand } = await import("./run-command.ts");
  return runCommand(argv.slice(2), env);
}
