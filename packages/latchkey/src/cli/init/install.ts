import { spawn } from "node:child_process";
import process from "node:process";

import type { Terminal } from "../command.ts";

const saysEveryMs = 10_000;

/**
 * Runs the command of a package manager. What it prints to standard error is shown; while it is
 * silent, a line says every ten seconds how long it has been at work.
 *
 * @returns whether it has succeeded
 */
export function install(
  folder: string,
  command: string,
  { environment, print }: Terminal,
  everyMs = saysEveryMs,
): Promise<boolean> {
  const [program = "", ...args] = command.split(" ");
  print(`\n${command}`);
  const startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 1000);
  const sign = setInterval(() => print(`  still installing (${seconds()} s)`), everyMs);
  const child = spawn(program, args, {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  return new Promise<boolean>((resolve) => {
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(code === 0));
  }).finally(() => clearInterval(sign));
}
