/** Checks the language of comments and test titles; CONTRIBUTING.md names the rules. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { findFaults, findOveruse, readProse } from "./language.ts";
import { findTitleFaults } from "./titles.ts";

const workspaces = [
  "packages/latchkey",
  "packages/nextjs-auth0",
  "packages/pages",
  "packages/provider",
  "apps/web",
  "bench",
  "conformance",
  "e2e",
  "soak",
  "tools",
];

const root = path.join(import.meta.dirname, "../..");
const generated = /\/(?:node_modules|dist|build|\.[^/]+)\/|\.gen\.ts$/;

function readWorkspace(workspace: string) {
  return globSync(`${workspace}/**/*.{ts,tsx,mts,mjs}`, { cwd: root, exclude: ["**/node_modules"] })
    .map((name) => name.replaceAll(path.sep, "/"))
    .filter((name) => !generated.test(name))
    .map((name) => {
      const source = readFileSync(path.join(root, name), "utf8");
      return { name, source, prose: readProse(name, source) };
    });
}

const faults = workspaces.flatMap((workspace) => {
  const files = readWorkspace(workspace);
  const found = files.flatMap(({ name, source, prose }) => findFaults(name, source, prose));
  const tests = files.filter(({ name }) => /\.(?:test|story)\.tsx?$/.test(name));
  const titles = tests.flatMap(({ name, source }) => findTitleFaults(name, source));
  return [
    ...found,
    ...titles,
    ...findOveruse(
      workspace,
      files.flatMap(({ prose }) => prose),
    ),
  ];
});
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
