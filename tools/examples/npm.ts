import { spawnSync } from "node:child_process";

/** @throws Error with the whole output */
export function run(cwd: string, program: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (status === 0) return stdout;
  throw new Error(`${stdout}${stderr}\n${[program, ...args].join(" ")} failed`);
}

export function npm(cwd: string, ...args: readonly string[]): string {
  return run(cwd, "npm", ...args, "--no-audit", "--no-fund", "--loglevel=error");
}
