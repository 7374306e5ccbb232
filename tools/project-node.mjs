/**
 * Runs a script on the Node of the lock file, on any Node, with or without installed dependencies.
 * This file itself must run on Node 20.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { onShutdown } from "./on-shutdown.mjs";

const root = path.resolve(fileURLToPath(import.meta.url), "../..");
const projectNode = path.join(
  root,
  process.platform === "win32" ? "node_modules/node/bin/node.exe" : "node_modules/node/bin/node",
);
const lowestUsableNode = [22, 18];
const preferredMajor = 24;
const complaintLines = 12;

/**
 * Installs missing packages, then runs the script: in this process if its Node is recent enough,
 * else in a child on the Node from npm. If neither is possible, the process exits with a sentence.
 *
 * @param {string} script - path from the root of the repository
 */
export async function runOnProjectNode(script) {
  if (missingPackage()) await install();
  const file = path.join(root, script);
  if (isAtLeast(process.versions.node, [preferredMajor, 0]))
    return import(pathToFileURL(file).href);
  if (runs(projectNode)) return runInChild(file);
  if (isAtLeast(process.versions.node, lowestUsableNode)) return import(pathToFileURL(file).href);
  fail(
    `Latchkey needs Node ${preferredMajor}. npm should have installed it in node_modules, but did not, ` +
      `and this is Node ${process.versions.node}. Install Node ${preferredMajor} and run the command again.`,
  );
}

/** The first package of the lock file without an installation of its version, if any. */
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

async function install() {
  console.log("Installing the dependencies (this takes a little while, once) ...");
  const complaint = await npmCi([]);
  if (complaint === undefined) return;
  // If npm cannot install Node, a recent one on the machine is enough.
  const recent = isAtLeast(process.versions.node, lowestUsableNode);
  if (recent && (await npmCi(["--ignore-scripts"])) === undefined) return;
  const offline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED/;
  if (offline.test(complaint)) {
    fail(
      "The dependencies are not installed and the package registry cannot be reached. " +
        "Connect to the network and run the command again.",
    );
  }
  console.error(complaint.trim().split("\n").slice(0, complaintLines).join("\n"));
  fail("The dependencies could not be installed: npm says why above.");
}

/**
 * @param {string[]} more
 * @returns {Promise<string | undefined>} what npm complained about, `undefined` when all is
 *   installed
 */
function npmCi(more) {
  const quick = [
    "--prefer-offline",
    "--fetch-retry-mintimeout=500",
    "--fetch-retry-maxtimeout=3000",
  ];
  const child = spawn("npm", ["ci", ...quick, ...more], {
    cwd: root,
    shell: process.platform === "win32",
    stdio: ["ignore", "ignore", "pipe"],
  });
  const stopListening = onShutdown(() => {
    child.kill("SIGTERM");
    process.exit(1);
  });
  let complaint = "";
  child.stderr.on("data", (chunk) => (complaint += chunk));
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code) => {
      stopListening();
      const installed = code === 0 && !missingPackage();
      resolve(installed ? undefined : complaint || "npm ci did not install everything.");
    });
  });
}

/**
 * The IPC channel closes when this process is killed, which ends the child too.
 *
 * @param {string} file
 */
function runInChild(file) {
  const child = spawn(projectNode, [file, ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  const passOn = () => void child.kill("SIGTERM");
  onShutdown(passOn, passOn);
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
