#!/usr/bin/env node
import process, { argv, env } from "node:process";

import { runCommand } from "./run-command.ts";

const { text, isGood } = await runCommand(argv.slice(2), env);
(isGood ? console.log : console.error)(text);
process.exitCode = isGood ? 0 : 1;
