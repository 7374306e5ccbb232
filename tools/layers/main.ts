/**
 * The layer check: reads the imports of every workspace and compares them with `tools/layers.ts`.
 * Prints one line per forbidden import and exits with 1 if there is one.
 */
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { workspaces } from "../layers.ts";
import { faultOf, singleFilesBelowRoot } from "./fault.ts";
import { importsOf } from "./imports.ts";

const root = path.join(import.meta.dirname, "../..");
const sourceFile = /\.(tsx?|mjs|js)$/;
/** Tests and their support; `typed-claims` has whole apps, which the step `types` compiles. */
const notChecked = /\.(test|support)\.tsx?$|\/(typed-claims|node_modules|dist)\//;

async function sourcesOf(folder: string): Promise<string[]> {
  const names = await readdir(path.join(root, folder), { recursive: true });
  const files = names.map((name) => path.posix.join(folder, name.split(path.sep).join("/")));
  return files.filter((file) => sourceFile.test(file) && !notChecked.test(file));
}

async function faultsIn(file: string): Promise<string[]> {
  const source = await readFile(path.join(root, file), "utf8");
  return importsOf(file, source).flatMap((found) => {
    const fault = faultOf(workspaces, file, found);
    return fault ? [`${file} imports "${found.specifier}": ${fault}`] : [];
  });
}

const files = await Promise.all(workspaces.map((workspace) => sourcesOf(workspace.root)));
const faults = await Promise.all(files.flat().map(faultsIn));
const wrongParts = workspaces.flatMap((workspace) =>
  singleFilesBelowRoot(workspace).map(
    (part) => `tools/layers.ts: ${workspace.root}/${part} is a single file below the root`,
  ),
);
const all = [...wrongParts, ...faults.flat()];
for (const fault of all) console.error(fault);
process.exitCode = all.length > 0 ? 1 : 0;
