/**
 * `npm run examples [name …]`: copies each example to an empty folder, installs it with the packed
 * packages, checks its types, runs its two commands, and signs in. It needs the ports 3000 and
 * 4000. `--quick` leaves out those with a build, whose frameworks `conformance` has, too.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

import { type Answer, createBrowser } from "../../packages/latchkey/test/browser/browser.ts";
import { oneFailed, onePassed, sum, tallyLine, type Tally } from "../check/tally.ts";
import { onShutdown } from "../on-shutdown.mjs";

const root = path.join(import.meta.dirname, "../..");
const folder = path.join(root, "examples");
const app = "http://localhost:3000";
/** Installing may take long; the first sign-in after it may not. */
const startAtMostMs = 60_000;

/** Those with an app that `npm run dev` starts beside the local provider. */
function exampleNames(): readonly string[] {
  return readdirSync(folder).filter((name) => {
    const file = path.join(folder, name, "package.json");
    return existsSync(file) && readFileSync(file, "utf8").includes("latchkey provider --");
  });
}

function hasBuild(name: string): boolean {
  const { scripts } = JSON.parse(readFileSync(path.join(folder, name, "package.json"), "utf8"));
  return scripts.build !== undefined;
}

/** @throws Error with the whole output */
function run(cwd: string, program: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: "utf8" });
  if (status === 0) return stdout;
  throw new Error(`${stdout}${stderr}\n${[program, ...args].join(" ")} failed`);
}

function npm(cwd: string, ...args: readonly string[]): string {
  return run(cwd, "npm", ...args, "--no-audit", "--no-fund", "--loglevel=error");
}

/** Packs the packages that examples install; returns the tarball of each by its name. */
function packAll(target: string): ReadonlyMap<string, string> {
  return new Map(
    ["latchkey", "@latchkey/pages", "@latchkey/provider"].map((name) => {
      const args = ["pack", "--workspace", name, "--json", "--pack-destination", target];
      const [packed] = JSON.parse(npm(root, ...args));
      return [name, path.join(target, packed.filename)];
    }),
  );
}

/** Copies an example, as `npx degit` does, with the packed packages in place of published ones. */
function copyExample(name: string, tarballs: ReadonlyMap<string, string>): string {
  const place = path.join(mkdtempSync(path.join(tmpdir(), "latchkey-example-")), name);
  const isOwn = (file: string) => !/node_modules|\.data|\.env\.local/.test(path.basename(file));
  cpSync(path.join(folder, name), place, { recursive: true, filter: isOwn });
  const file = path.join(place, "package.json");
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  for (const list of [manifest.dependencies, manifest.devDependencies]) {
    for (const [each, tarball] of tarballs) if (each in list) list[each] = `file:${tarball}`;
  }
  writeFileSync(file, JSON.stringify(manifest));
  return place;
}

let running: ChildProcess | undefined;

async function runExample(name: string, tarballs: ReadonlyMap<string, string>): Promise<void> {
  const place = copyExample(name, tarballs);
  try {
    npm(place, "install", "--prefer-offline");
    const { scripts } = JSON.parse(readFileSync(path.join(place, "package.json"), "utf8"));
    if (scripts.build === undefined) run(place, "node", "node_modules/typescript/bin/tsc");
    else npm(place, "run", "build");
    await startAndSignIn(place);
  } finally {
    rmSync(path.dirname(place), { recursive: true, force: true });
  }
}

async function startAndSignIn(place: string): Promise<void> {
  const { LATCHKEY_STORE: _store, ...rest } = process.env;
  // With this scope alone users have neither name nor email address, as with some providers.
  const env = { ...rest, LATCHKEY_SCOPE: "openid" };
  const child = spawn("npm", ["run", "dev"], { cwd: place, env, detached: true });
  running = child;
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  }
  try {
    await untilAnswer();
    const browser = createBrowser(app);
    assertShows(await browser.signIn("/private"), "Hello person-ada");
    if (hasPages(place)) assertShows(await browser.open("/_auth/account"), "Your account");
  } catch (error) {
    throw new Error(`${output}\n${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  } finally {
    await stop(child);
  }
}

/** Whether the account menu of the example leads to a page of `@latchkey/pages`. */
function hasPages(place: string): boolean {
  return readFileSync(path.join(place, "package.json"), "utf8").includes('"@latchkey/pages"');
}

function assertShows({ url, status, text }: Answer, words: string): void {
  if (status === 200 && text.includes(words)) return;
  throw new Error(`${url.pathname} answers ${status}:\n${text.slice(0, 600)}`);
}

async function untilAnswer(): Promise<void> {
  const endsAt = performance.now() + startAtMostMs;
  while (performance.now() < endsAt) {
    const response = await fetch(app).catch(() => null);
    if (response?.status === 200) return;
    await new Promise((resolve) => void setTimeout(resolve, 200));
  }
  throw new Error(`The app does not answer within ${startAtMostMs / 1000} s.`);
}

/** Ends the command with all of its children. */
function stop(child: ChildProcess): Promise<void> {
  running = undefined;
  if (child.exitCode !== null || child.pid === undefined) return Promise.resolve();
  process.kill(-child.pid, "SIGTERM");
  return new Promise((resolve) => void child.once("close", () => resolve()));
}

async function main(): Promise<Tally> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { quick: { type: "boolean", default: false } },
  });
  const known = exampleNames().filter((name) => !values.quick || !hasBuild(name));
  const names = positionals.length > 0 ? positionals : known;
  const packed = mkdtempSync(path.join(tmpdir(), "latchkey-packed-"));
  const tallies: Tally[] = [];
  try {
    const tarballs = packAll(packed);
    for (const name of names) {
      const start = performance.now();
      try {
        await runExample(name, tarballs);
        console.log(`ok     ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
        tallies.push(onePassed);
      } catch (error) {
        console.log(error instanceof Error ? error.message : String(error));
        console.log(`FAILED ${name}`);
        tallies.push(oneFailed);
      }
    }
  } finally {
    rmSync(packed, { recursive: true });
  }
  return sum(tallies);
}

onShutdown(() => {
  if (running?.pid !== undefined) process.kill(-running.pid, "SIGTERM");
  process.exit(130);
});
const total = await main();
console.log(tallyLine(total));
process.exitCode = total.failed > 0 ? 1 : 0;
