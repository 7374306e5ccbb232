/** A host of the folder `conformance`: installed and built, each again only after a change. */
import { createHash, type Hash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { runStep } from "../check/step.ts";
import type { PackedPackage } from "./package.ts";

/** Folders and files that a host has of its installation and its build. */
const made = /^(?:node_modules|dist|build|next-env\.d\.ts|\.[^/]*)$/;
/** These are no hosts: the suite that drives them, and what all of them share. */
const shared = ["suite"];

export function hostNames(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && !made.test(entry.name))
    .map(({ name }) => name)
    .filter((name) => !shared.includes(name));
}

/** One hash over everything that decides what the suite finds: the package, the host, the suite. */
export function stampOfRun(folder: string, host: string, packed: PackedPackage): string {
  const hash = createHash("sha256").update(packed.hash);
  for (const place of [host, ...shared]) addFolder(hash, path.join(folder, place));
  return hash.digest("hex");
}

/**
 * Installs what the lock file names, then the packed package, then runs the host's own `build`; none of it where
 * nothing has changed.
 *
 * @throws Error with what npm or the build said
 */
export async function prepareHost(place: string, packed: PackedPackage): Promise<void> {
  await once(place, "installed", stampOfInstallation(place, packed), () => install(place, packed));
  await once(place, "built", stampOfBuild(place, packed), () =>
    run(place, "build", ["npm", "run", "--if-present", "build"]),
  );
}

async function install(place: string, { file }: PackedPackage): Promise<void> {
  const quiet = ["--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
  const lock = createHash("sha256").update(readFileSync(path.join(place, "package-lock.json")));
  // Not `npm ci`: it refuses a lock file without the packages for other platforms that a registry lacks.
  await once(place, "locked", lock.digest("hex"), () =>
    run(place, "installation", ["npm", "install", "--no-save", ...quiet]),
  );
  rmSync(path.join(place, "node_modules/latchkey"), { recursive: true, force: true });
  await run(place, "package", ["npm", "install", "--no-save", ...quiet, file]);
}

function stampOfInstallation(place: string, packed: PackedPackage): string {
  const hash = createHash("sha256").update(packed.hash);
  return hash.update(readFileSync(path.join(place, "package-lock.json"))).digest("hex");
}

function stampOfBuild(place: string, packed: PackedPackage): string {
  const hash = createHash("sha256").update(packed.hash);
  addFolder(hash, place);
  return hash.digest("hex");
}

function addFolder(hash: Hash, folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, encoding: "utf8" })) {
    const file = path.join(folder, entry.name);
    if (made.test(entry.name)) continue;
    if (entry.isDirectory()) addFolder(hash, file);
    else hash.update(`${entry.name}\0`).update(readFileSync(file));
  }
}

/** Runs the work unless the stamp beside the installation says that it was done. */
async function once(
  place: string,
  name: string,
  stamp: string,
  work: () => Promise<void>,
): Promise<void> {
  const file = path.join(place, `node_modules/.latchkey-${name}`);
  if (existsSync(file) && readFileSync(file, "utf8") === stamp) return;
  await work();
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, stamp);
}

/** Nothing that a build could keep is in its environment: it must do without settings and secrets. */
async function run(
  cwd: string,
  name: string,
  command: readonly [string, ...string[]],
): Promise<void> {
  const outcome = await runStep({ name, command, cwd, env: { CI: "1" } });
  if (outcome.exitCode !== 0) {
    throw new Error(`${outcome.output}\nThe ${name} failed: "${command.join(" ")}" says why.`);
  }
}
