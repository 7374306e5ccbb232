import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

/** The input of the build. */
const sources = [
  "package-lock.json",
  "tsconfig.base.json",
  "tsconfig.json",
  "packages/latchkey",
  "packages/nextjs-auth0",
  "packages/pages",
  "packages/provider",
  "apps/web",
];
const outputs = [
  "packages/latchkey/dist/bundle/index.js",
  "packages/pages/dist/bundle/index.js",
  "packages/provider/dist/main.js",
  "apps/web/dist/server/main.js",
];
/** The workspaces with a bundler of their own. */
const bundled = ["packages/latchkey", "packages/pages", "apps/web"];
const notSources = /(^|\/)(dist|node_modules|\.[^/]*)(\/|$)|\.(test|support)\.tsx?$/;
const stampFile = "apps/web/dist/.built-from";

/**
 * Builds the packages and the web application when their sources are not those of the last build.
 *
 * @throws Error with what the compiler said
 */
export function buildWhatChanged(root: string): void {
  const stamp = stampOf(root);
  if (isBuilt(root, stamp)) return;
  console.log("Building what changed ...");
  const file = path.join(root, stampFile);
  // A failed build may leave half of its files, which belong to no source.
  rmSync(file, { force: true });
  compile(root, ".");
  for (const workspace of bundled) bundle(path.join(root, workspace));
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, stamp);
}

/**
 * Compiles one project and its references, as far as they have changed.
 *
 * @throws Error with what the compiler said
 */
export function compile(root: string, project: string): void {
  run(root, `tsc -b --pretty false ${project}`);
}

function isBuilt(root: string, stamp: string): boolean {
  const file = path.join(root, stampFile);
  const all = outputs.every((output) => existsSync(path.join(root, output)));
  return all && existsSync(file) && readFileSync(file, "utf8") === stamp;
}

/** One hash over the names and contents of the input. */
function stampOf(root: string): string {
  const hash = createHash("sha256");
  for (const file of sources.flatMap((source) => filesBelow(root, source))) {
    hash.update(`${file}\0`).update(readFileSync(path.join(root, file)));
  }
  return hash.digest("hex");
}

function filesBelow(root: string, place: string): string[] {
  if (notSources.test(place)) return [];
  if (statSync(path.join(root, place)).isFile()) return [place];
  const names = readdirSync(path.join(root, place)).toSorted();
  return names.flatMap((name) => filesBelow(root, `${place}/${name}`));
}

function bundle(workspace: string): void {
  const manifest = readFileSync(path.join(workspace, "package.json"), "utf8");
  run(workspace, JSON.parse(manifest).scripts.build);
}

function run(cwd: string, command: string): void {
  const bin = path.join(import.meta.dirname, "../../node_modules/.bin");
  const searchPath = `${bin}${path.delimiter}${process.env["PATH"]}`;
  const { status, stdout, stderr } = spawnSync(command, {
    cwd,
    shell: true,
    encoding: "utf8",
    // Vitest sets "test", which would bundle React for development.
    env: { ...process.env, PATH: searchPath, NODE_ENV: "production" },
  });
  if (status === 0) return;
  throw new Error(`${stdout}${stderr}\nThe build failed: "${command}" says why above.`);
}
