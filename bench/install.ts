import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const folder = import.meta.dirname;
const quick = ["--prefer-offline", "--no-audit", "--no-fund"];

/**
 * Installs the peers of the benchmark if they are missing or have other versions.
 *
 * @throws {Error} with the output of npm
 */
export function installMissing(): void {
  if (isInstalled()) return;
  console.error("Installing the peers of the benchmark (once) ...");
  const { status, stderr } = spawnSync("npm", ["ci", ...quick], {
    cwd: folder,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (status === 0) return;
  throw new Error(
    `${stderr}\nThe peers of the benchmark could not be installed: npm says why above.`,
  );
}

function isInstalled(): boolean {
  const installedLock = path.join(folder, "node_modules/.package-lock.json");
  if (!existsSync(installedLock)) return false;
  const installed = packagesOf(installedLock);
  const wanted = Object.entries(packagesOf(path.join(folder, "package-lock.json")));
  return wanted.every(
    ([name, { optional, version }]) =>
      name === "" || optional === true || installed[name]?.version === version,
  );
}

function packagesOf(file: string): Record<string, { version?: string; optional?: boolean }> {
  return JSON.parse(readFileSync(file, "utf8")).packages;
}
