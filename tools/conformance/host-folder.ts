/** A host of the folder `conformance`: installed and built, each again only after a change. */
import { createHash, type Hash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { runStep } from "../check/step.ts";
import type { PackedPackages } from "./package.ts";

/** Folders and files from the installation and the build of a host. */
const made = /^(?:node_modules|dist|build|next-env\.d\.ts|\.[^/]*)$/;
/** No hosts: the suite, and the shared parts. */
const shared = ["suite"];

export function hostNames(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && !made.test(entry.name))
    .map(({ name }) => name)
    .filter((name) => !shared.includes(name));
}

/** One hash over all input of the suite: the package, the host, the suite. */
export function stampOfRun(folder: string, host: string, packed: PackedPackages): string {
  const hash = createHash("sha256").update(packed.hash);
  for (const place of [host, ...shared]) addFolder(hash, path.join(folder, place));
  return hash.digest("hex");
}

/**
 * Installs the packages of the lock file, then the packed packages, then runs the host's own
 * `build`; none of it if nothing has changed.
 *
 * @throws Error with the output of npm or the build
 */
export async function prepareHost(place: string, packed: PackedPackages): Promise<void> {
  await once(place, "installed", stampOfInstallation(place, packed), () => install(place, packed));
  await once(place, "built", stampOfBuild(place, packed), () =>
    run(place, "build", ["npm", "run", "--if-present", "build"]),
  );
}

async function install(place: string, { files }: PackedPackages): Promise<void> {
  const quiet = ["--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
  const lock = createHash("sha256").update(readFileSync(path.join(place, "package-lock.json")));
  // Not `npm ci`: it refuses a lock file without the packages for other platforms, which a registry
  // may lack.
  await once(place, "locked", lock.digest("hex"), () =>
    run(place, "installation", ["npm", "install", "--no-save", ...quiet]),
  );
  for (const name of ["latchkey", "@latchkey/pages"])
    rmSync(path.join(place, "node_modules", name), { recursive: true, force: true });
  await run(place, "package", ["npm", "install", "--no-save", ...quiet, ...files]);
}

function stampOfInstallation(place: string, packed: PackedPackages): string {
  const hash = createHash("sha256").update(packed.hash);
  return hash.update(readFileSync(path.join(place, "package-lock.json"))).digest("hex");
}

function stampOfBuild(place: string, packed: PackedPackages): string {
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

/** Runs the work unless the stamp beside the installation shows it is done. */
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

/** A build must do without settings and secrets, so its environment has none. */
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
