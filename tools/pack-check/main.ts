/**
 * Packs `latchkey`, installs the tarball into an empty folder, and signs in there at the local
 * provider: this tests what a user gets.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createBrowser } from "../../packages/latchkey/test/browser/browser.ts";
import { createDevProcesses, providerProcess } from "../start/dev-processes.ts";
import { freePort } from "../../packages/latchkey/test/servers/free-port.ts";
import { publishedPackages } from "../release/published-packages.ts";
import { startSettings } from "../start/settings.ts";
import { assertWellPacked } from "./package-lint.ts";
import { assertOtherTypesHold, assertTypesHold } from "./types.ts";

const root = path.join(import.meta.dirname, "../..");
const mostPackages = 6;

function npm(cwd: string, ...args: string[]): string {
  return execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** Packs a workspace into a folder, and returns the name of the tarball. */
function pack(workspace: string, folder: string): string {
  const packed = npm(
    root,
    "pack",
    "--workspace",
    workspace,
    "--json",
    "--pack-destination",
    folder,
  );
  return JSON.parse(packed)[0].filename;
}

/** Installs tarballs alone. */
function install(folder: string, ...tarballs: readonly string[]): void {
  writeFileSync(path.join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  npm(folder, "install", "--prefer-offline", "--no-audit", "--no-fund", ...tarballs);
}

function assertFewPackages(folder: string): void {
  const modules = path.join(folder, "node_modules");
  const names = readdirSync(modules, { recursive: true, encoding: "utf8" });
  const packages = names.filter((name) => /^(@[^/]+\/)?[^/]+\/package\.json$/.test(name));
  assert.ok(packages.length <= mostPackages, `${packages.length} packages: ${packages.join(", ")}`);
  console.log(`${packages.length} packages`);
}

/**
 * Every entry point and its types are in the tarball. Those without a peer can be loaded, by
 * CommonJS too.
 */
function assertExportsResolve(folder: string): void {
  const home = path.join(folder, "node_modules/latchkey");
  const { exports } = JSON.parse(readFileSync(path.join(home, "package.json"), "utf8"));
  const targets = Object.entries<string | Record<string, string>>(exports);
  for (const [name, target] of targets) {
    const files = typeof target === "string" ? [target] : [target["types"], target["default"]];
    for (const file of files)
      assert.ok(file && existsSync(path.join(home, file)), `${name}: ${file}`);
  }
  const loadable = targets
    .map(([name]) => name.replace(/^\./, "latchkey"))
    .filter((name) => !/\/(react|h3|next|opentelemetry)|\.\w+$/.test(name));
  const program = loadable.map((name) => `await import("${name}");`).join("\n");
  execFileSync(process.execPath, ["--input-type=module", "-e", program], { cwd: folder });
  const common = loadable.map((name) => `require("${name}");`).join("\n");
  execFileSync(process.execPath, ["--input-type=commonjs", "-e", common], { cwd: folder });
}

/** The command of the package runs after an installation. */
function assertCommandRuns(folder: string): void {
  const help = npm(folder, "exec", "--offline", "--", "latchkey", "--help");
  assert.match(help, /latchkey store .*copies/);
}

/** A stack trace of the bundle names the original source file. */
function assertTracesNameSources(folder: string): void {
  const program = `import { createAuth } from "latchkey";
    try {
      createAuth({ get baseURL() { throw new Error("traced"); } });
    } catch (error) {
      console.log(error.stack);
    }`;
  const flags = ["--enable-source-maps", "--input-type=module", "-e", program];
  const trace = execFileSync(process.execPath, flags, { cwd: folder, encoding: "utf8" });
  assert.match(trace, /latchkey\/src\/host\/auth\.ts:\d+/);
}

async function assertSignsIn(folder: string): Promise<void> {
  const ports = {
    PORT: String(await freePort()),
    LATCHKEY_PROVIDER_PORT: String(await freePort()),
  };
  const secrets = { session: "s".repeat(40), client: "c".repeat(40) };
  const { app, provider, baseURL } = startSettings(ports, path.join(folder, "data"), () => secrets);
  const env = { PATH: process.env["PATH"] };
  const processes = createDevProcesses(folder, (sentence) => console.error(sentence));
  try {
    await processes.start(providerProcess(root, { ...env, ...provider?.env }));
    cpSync(path.join(import.meta.dirname, "sample-app.mjs"), path.join(folder, "app.mjs"));
    const file = path.join(folder, "app.mjs");
    await processes.start({ name: "The sample", file, env: { ...env, ...app }, quiet: false });

    const browser = createBrowser(baseURL);
    const { url, status, text } = await browser.signIn("/reports?year=2026");
    const landed = [url.href, status, text];
    assert.deepEqual(landed, [`${baseURL}/reports?year=2026`, 200, "Hello Ada Okafor"]);
    const me = await browser.open("/api/auth/me");
    assert.equal(me.status, 200);
    assert.equal(JSON.parse(me.text).email, "ada@example.com");
  } finally {
    await processes.stop();
  }
}

/** The other packages are installed and run by the conformance apps and the examples. */
async function assertOtherPackagesAreWellPacked(folder: string): Promise<void> {
  for (const { name, folder: home } of publishedPackages(root)) {
    if (name === "latchkey") continue;
    const own = path.join(folder, path.basename(home));
    mkdirSync(own);
    pack(name, own);
    await assertWellPacked(own, name);
  }
}

/** An app without React compiles with the other packages, which have been packed. */
function assertOtherTypesCompile(folder: string): void {
  const own = path.join(folder, "pages");
  const tarballs = [folder, own, path.join(folder, "provider")].flatMap((place) =>
    readdirSync(place)
      .filter((name) => name.endsWith(".tgz"))
      .map((name) => path.join(place, name)),
  );
  install(own, ...tarballs);
  assertOtherTypesHold(own);
}

const checks: readonly ((folder: string) => void | Promise<void>)[] = [
  assertSignsIn,
  assertExportsResolve,
  assertCommandRuns,
  assertTracesNameSources,
  assertFewPackages,
  (folder) => assertWellPacked(folder, "latchkey"),
  assertOtherPackagesAreWellPacked,
  assertOtherTypesCompile,
  // The last one, since it links types beside what npm installed.
  assertTypesHold,
];
const folder = mkdtempSync(path.join(tmpdir(), "latchkey-pack-"));
try {
  install(folder, `./${pack("latchkey", folder)}`);
  for (const check of checks) {
    try {
      await check(folder);
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = 1;
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
