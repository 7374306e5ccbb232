/**
 * `npm run rehearsal`: plays two releases through on a clone, with a registry on this machine: a
 * changeset, the next versions, the tarballs, the publication, its tags. Nothing leaves this
 * machine.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { freePort } from "../../packages/latchkey/test/servers/free-port.ts";
import { asOne, tallyLine } from "../check/tally.ts";
import { nextStep } from "../release/next-step.ts";
import { publishedPackages } from "../release/published-packages.ts";
import { startRegistry } from "./registry.ts";

const root = path.join(import.meta.dirname, "../..");
const work = mkdtempSync(path.join(tmpdir(), "latchkey-rehearsal-"));
const clone = path.join(work, "clone");

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): string {
  return execFileSync(program, args, {
    cwd: clone,
    encoding: "utf8",
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Makes a clone of HEAD with the packages that are installed here. */
function makeClone(): void {
  mkdirSync(clone);
  run("git", ["clone", "--quiet", "--shared", root, "."]);
  run("git", ["config", "user.email", "release@example.com"]);
  run("git", ["config", "user.name", "Release"]);
  const verbatimSymlinks = true;
  cpSync(path.join(root, "node_modules"), path.join(clone, "node_modules"), {
    recursive: true,
    verbatimSymlinks,
  });
}

function commit(subject: string): void {
  run("git", ["add", "--all"]);
  run("git", ["commit", "--quiet", "--no-verify", "--message", subject]);
}

function addChangeset(): void {
  const text = '---\n"latchkey": patch\n---\n\nOpen the door faster.\n';
  writeFileSync(path.join(clone, ".changeset/quick-door.md"), text);
  commit("perf: open the door faster");
}

function currentVersion(): string {
  return publishedPackages(clone)[0]?.version ?? "";
}

/** Does what the workflow does after a merge: versions, then tarballs, then the publication. */
function release(registry: NodeJS.ProcessEnv): string {
  assert.equal(nextStep(clone), "version");
  run(process.execPath, ["tools/release/make-versions.ts"]);
  commit("chore: release");
  assert.equal(nextStep(clone), "publish");
  const changesets = "node_modules/@changesets/cli/bin.js";
  const packed = path.join(work, `packed-${currentVersion()}`);
  run(process.execPath, [changesets, "pack", "--out-dir", packed], registry);
  run(process.execPath, [changesets, "publish", "--from-pack-dir", packed], registry);
  return packed;
}

function assertReleased(version: string, registry: NodeJS.ProcessEnv): void {
  const tags = run("git", ["tag", "--points-at", "HEAD"]).trim().split("\n");
  const names = publishedPackages(clone).map(({ name }) => name);
  assert.deepEqual(tags.toSorted(), names.map((name) => `${name}@${version}`).toSorted());
  for (const name of names) {
    const latest = run("npm", ["view", name, "version"], registry).trim();
    assert.equal(latest, version, name);
  }
}

/** Installs the published package as users do, and runs its command. */
function assertInstalls(version: string, registry: NodeJS.ProcessEnv): void {
  const folder = path.join(work, `app-${version}`);
  mkdirSync(folder);
  writeFileSync(path.join(folder, "package.json"), '{ "private": true }\n');
  const options = { cwd: folder, encoding: "utf8", env: { ...process.env, ...registry } } as const;
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "latchkey"], options);
  // By the Node of this process: the one that npm finds may be too old.
  const command = path.join(folder, "node_modules/latchkey/dist/bundle/cli/main.js");
  const shown = execFileSync(process.execPath, [command, "--version"], options);
  assert.ok(shown.includes(version), shown);
  const files = readdirSync(path.join(folder, "node_modules/latchkey"));
  assert.ok(files.includes("CHANGELOG.md") && files.includes("LICENSE"), files.join(" "));
}

async function main(): Promise<void> {
  const registry = await startRegistry(path.join(work, "registry"), await freePort());
  try {
    makeClone();
    release(registry.env);
    const first = currentVersion();
    assertReleased(first, registry.env);
    assertInstalls(first, registry.env);
    addChangeset();
    const packed = release(registry.env);
    const second = currentVersion();
    assert.notEqual(second, first);
    assertReleased(second, registry.env);
    assertInstalls(second, registry.env);
    const again = ["node_modules/@changesets/cli/bin.js", "publish", "--from-pack-dir", packed];
    run(process.execPath, again, registry.env);
    assertReleased(second, registry.env);
    console.log(`Released ${first} and ${second} on a clone.`);
  } finally {
    await registry.stop();
    rmSync(work, { recursive: true });
  }
}

const failed = await main().catch((error: unknown) => error);
if (failed !== undefined) console.error(failed);
const total = asOne({ exitCode: failed === undefined ? 0 : 1 });
console.log(tallyLine(total));
process.exitCode = total.failed > 0 ? 1 : 0;
