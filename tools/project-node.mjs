/**
 * Runs a script of the house on the project's own Node, from whatever Node and state of
 * installation there is. This file itself keeps to what Node 20 understands.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = path.resolve(fileURLToPath(import.meta.url), "../..");
const projectNode = path.join(
  root,
  process.platform === "win32" ? "node_modules/node/bin/node.exe" : "node_modules/node/bin/node",
);
const lowestUsableNode = [22, 18];
const preferredMajor = 24;

/**
 * Installs what is missing, then runs the script: in this process when it is recent enough, else
 * in a child on the Node that npm brought. Ends the process with a sentence when neither is there.
 *
 * @param {string} script - path from the root of the repository
 */
export async function runOnProjectNode(script) {
  if (missingPackage()) install();
  const file = path.join(root, script);
  if (isAtLeast(process.versions.node, [preferredMajor, 0]))
    return import(pathToFileURL(file).href);
  if (runs(projectNode)) return runInChild(file);
  if (isAtLeast(process.versions.node, lowestUsableNode)) return import(pathToFileURL(file).href);
  fail(
    `Latchkey needs Node ${preferredMajor}. npm should have brought it into node_modules, but did not, ` +
      `and this is Node ${process.versions.node}. Install Node ${preferredMajor} and run the command again.`,
  );
}

/** The first package of the lock file that is not installed in its version, if any. */
function missingPackage() {
  const installedLock = path.join(root, "node_modules/.package-lock.json");
  if (!existsSync(installedLock)) return "node_modules";
  const wanted = packagesOf(path.join(root, "package-lock.json"));
  const installed = packagesOf(installedLock);
  const missing = Object.entries(wanted).find(
    ([name, { optional, version }]) => name && !optional && version !== installed[name]?.version,
  );
  return missing?.[0];
}

/**
 * @param {string} lockFile
 * @returns {Record<string, { version?: string, optional?: boolean }>}
 */
function packagesOf(lockFile) {
  return JSON.parse(readFileSync(lockFile, "utf8")).packages;
}

function install() {
  console.log("Installing the dependencies (this takes a little while, once) ...");
  const complaint = npmCi([]);
  if (complaint === undefined) return;
  const mayDoWithoutScripts = isAtLeast(process.versions.node, lowestUsableNode);
  if (mayDoWithoutScripts && npmCi(["--ignore-scripts"]) === undefined) return;
  const offline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED/;
  if (offline.test(complaint)) {
    fail(
      "The dependencies are not installed and the package registry cannot be reached. " +
        "Connect to the network and run the command again.",
    );
  }
  console.error(complaint.trim());
  fail("The dependencies could not be installed: npm says why above.");
}

/**
 * @param {string[]} more
 * @returns {string | undefined} what npm complained about, `undefined` when all is installed
 */
function npmCi(more) {
  const quick = [
    "--prefer-offline",
    "--fetch-retry-mintimeout=500",
    "--fetch-retry-maxtimeout=3000",
  ];
  const { status, error, stderr } = spawnSync("npm", ["ci", ...quick, ...more], {
    cwd: root,
    encoding: "utf8",
    shell: process.platform === "win32",
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (status === 0 && !missingPackage()) return undefined;
  return error ? String(error) : stderr || "npm ci ended without installing everything";
}

/**
 * The signals that end us are passed on. The IPC channel tells the child when this process dies
 * without a word: see `tools/start/end-with-parent.mjs`.
 *
 * @param {string} file
 */
function runInChild(file) {
  const child = spawn(projectNode, [file, ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]).forEach((signal) => {
    process.on(signal, () => child.kill(signal));
  });
  child.on("exit", (code, signal) => {
    process.exitCode = signal ? 128 + constants.signals[signal] : (code ?? 1);
  });
}

/** @param {string} node */
function runs(node) {
  return existsSync(node) && spawnSync(node, ["--version"], { stdio: "ignore" }).status === 0;
}

/**
 * @param {string} version
 * @param {number[]} lowest
 */
function isAtLeast(version, [lowestMajor = 0, lowestMinor = 0]) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > lowestMajor || (major === lowestMajor && minor >= lowestMinor);
}

/**
 * @param {string} sentence
 * @returns {never}
 */
function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
