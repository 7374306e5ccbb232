/**
 * `npm run examples [name …]`: copies each example to an empty folder, installs it with the packed
 * packages, checks its types, runs its two commands, and signs in. It needs the ports 3000 and
 * 4000. `--quick` leaves out those with a build, whose frameworks `conformance` has, too.
 *
 * `npm run examples -- --init [name …]` creates apps anew instead, as users do, and sets them up
 * with `latchkey init`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
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
import { createSDKClient } from "../../packages/latchkey/test/mcp/sdk-client.ts";
import { oneFailed, onePassed, sum, tallyLine, type Tally } from "../check/tally.ts";
import { onShutdown } from "../on-shutdown.mjs";
import { createFreshApp, freshApps, signInByHand } from "./fresh-app.ts";
import { npm, run } from "./npm.ts";

const root = path.join(import.meta.dirname, "../..");
const folder = path.join(root, "examples");
const app = "http://localhost:3000";
const provider = "http://localhost:4000";
/** Installing may take long; the first sign-in after it may not. */
const startAtMostMs = 60_000;

/** Those with an app that `npm run dev` starts beside the local provider. */
function exampleNames(): readonly string[] {
  return readdirSync(folder).filter((name) => {
    const place = path.join(folder, name);
    return existsSync(path.join(place, "package.json")) && hasScript(place, "dev");
  });
}

interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Record<string, string>;
  readonly devDependencies: Record<string, string>;
}

function readManifest(place: string): Manifest {
  return JSON.parse(readFileSync(path.join(place, "package.json"), "utf8"));
}

function hasScript(place: string, name: string): boolean {
  return name in (readManifest(place).scripts ?? {});
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
  for (const each of [place, ...appsOf(place)]) usePacked(each, tarballs);
  return place;
}

/** The apps of a monorepo. */
function appsOf(place: string): readonly string[] {
  const apps = path.join(place, "apps");
  return existsSync(apps) ? readdirSync(apps).map((name) => path.join(apps, name)) : [];
}

function usePacked(place: string, tarballs: ReadonlyMap<string, string>): void {
  const manifest = readManifest(place);
  for (const list of [manifest.dependencies ?? {}, manifest.devDependencies]) {
    for (const [each, tarball] of tarballs) if (each in list) list[each] = `file:${tarball}`;
  }
  writeFileSync(path.join(place, "package.json"), JSON.stringify(manifest));
}

let running: ChildProcess | undefined;

async function runExample(name: string, tarballs: ReadonlyMap<string, string>): Promise<void> {
  const place = copyExample(name, tarballs);
  try {
    npm(place, "install", "--prefer-offline");
    if (hasScript(place, "build")) npm(place, "run", "build");
    else run(place, "node", "node_modules/typescript/bin/tsc");
    // With this scope alone users have neither name nor email address, as with some providers.
    const isMonorepo = appsOf(place).length > 0;
    if (isMonorepo) await startApp(place, {}, showOrders);
    else await startApp(place, { LATCHKEY_SCOPE: "openid" }, () => signIn(place));
  } finally {
    rmSync(path.dirname(place), { recursive: true, force: true });
  }
}

async function runFreshApp(name: string, tarballs: ReadonlyMap<string, string>): Promise<void> {
  const parent = mkdtempSync(path.join(tmpdir(), "latchkey-fresh-"));
  try {
    const { place, page } = createFreshApp(name, parent, tarballs);
    await startApp(place, {}, () => signInByHand(page), page);
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

async function startApp(
  place: string,
  variables: Readonly<Record<string, string>>,
  use: () => Promise<void>,
  page = app,
): Promise<void> {
  const { LATCHKEY_STORE: _store, ...rest } = process.env;
  const env = { ...rest, ...variables };
  const child = spawn("npm", ["run", "dev"], { cwd: place, env, detached: true });
  running = child;
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  }
  try {
    await untilAnswer(page);
    await use();
  } catch (error) {
    throw new Error(`${output}\n${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  } finally {
    await stop(child);
  }
}

async function signIn(place: string): Promise<void> {
  const { dependencies = {} } = readManifest(place);
  const isMcpServer = "@modelcontextprotocol/server" in dependencies;
  const browser = createBrowser(app);
  assertShows(await browser.signIn(isMcpServer ? "/" : "/private"), "Hello person-ada");
  if ("@latchkey/pages" in dependencies) {
    assertShows(await browser.open("/_auth/account"), "Your account");
  }
  if (isMcpServer) await callTools();
}

/** The page calls the second app of the monorepo with a token of its own. */
async function showOrders(): Promise<void> {
  assertShows(await createBrowser(app).signIn("/"), "Orders of person-ada");
}

/** Calls the MCP server as a client that knows only its address. */
async function callTools(): Promise<void> {
  const client = createSDKClient({ url: `${app}/mcp`, provider, era: "modern" });
  await client.call("list-notes");
  await client.call("add-note", { note: "milk" });
  const list = await client.call("list-notes");
  if (!list.includes("milk")) throw new Error(`list-notes answers ${list}`);
}

function assertShows({ url, status, text }: Answer, words: string): void {
  if (status === 200 && text.includes(words)) return;
  throw new Error(`${url.pathname} answers ${status}:\n${text.slice(0, 600)}`);
}

async function untilAnswer(page: string): Promise<void> {
  const endsAt = performance.now() + startAtMostMs;
  while (performance.now() < endsAt) {
    const response = await fetch(page, { redirect: "manual" }).catch(() => null);
    // A page for signed-in users redirects to the provider.
    if (response?.status === 200 || response?.status === 302) return;
    await new Promise((resolve) => void setTimeout(resolve, 200));
  }
  throw new Error(`The app does not answer within ${startAtMostMs / 1000} s.`);
}

async function stop(child: ChildProcess): Promise<void> {
  running = undefined;
  const closed = once(child, "close");
  if (endGroup(child) && child.exitCode === null) await closed;
}

/** Ends a command with all of its children. Returns whether there was one left. */
function endGroup({ pid }: ChildProcess): boolean {
  try {
    return pid !== undefined && process.kill(-pid, "SIGTERM");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}

async function main(): Promise<Tally> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: "boolean", default: false },
      init: { type: "boolean", default: false },
    },
  });
  const examples = exampleNames().filter(
    (name) => !values.quick || !hasScript(path.join(folder, name), "build"),
  );
  const known = values.init ? freshApps : examples;
  const names = positionals.length > 0 ? positionals : known;
  const runOne = values.init ? runFreshApp : runExample;
  const packed = mkdtempSync(path.join(tmpdir(), "latchkey-packed-"));
  const tallies: Tally[] = [];
  try {
    const tarballs = packAll(packed);
    for (const name of names) {
      const start = performance.now();
      try {
        await runOne(name, tarballs);
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
  if (running !== undefined) endGroup(running);
  process.exit(130);
});
const total = await main();
console.log(tallyLine(total));
process.exitCode = total.failed > 0 ? 1 : 0;
