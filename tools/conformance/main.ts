/** `npm run conformance [host ...]`: all hosts of the folder `conformance`, or those named. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";

const root = path.join(import.meta.dirname, "../..");
const folder = path.join(root, "conformance");

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

/** The installation is made again when the lock file has changed since. */
function isInstalled(): boolean {
  const installed = path.join(folder, "node_modules/.package-lock.json");
  const lock = path.join(folder, "package-lock.json");
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs;
}

function hosts(): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules")
    .map(({ name }) => name);
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !hosts().includes(name));
if (unknown.length > 0) {
  console.error(
    `There is no ${unknown.join(", ")} in conformance: choose of ${hosts().join(", ")}.`,
  );
  process.exit(1);
}
if (!isInstalled()) run("npm", ["ci", "--no-audit", "--no-fund", "--prefix", folder]);
const vitest = path.join(root, "node_modules/.bin/vitest");
const filters = asked.map((name) => `conformance/${name}/`);
run(vitest, ["run", "--config", "conformance/vitest.config.ts", ...filters]);
