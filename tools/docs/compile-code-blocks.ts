/**
 * Compiles the code blocks of the README files and the guides against the declarations of the
 * packages, as apps do. `tsc -b` writes them.
 */
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { codeModules } from "./code-blocks.ts";

export interface CodePage {
  /** Path from the root of the repository, with forward slashes. */
  readonly name: string;
  readonly text: string;
}

const patterns = ["README.md", "packages/*/README.md", "docs/**/*.md"];

const root = path.join(import.meta.dirname, "../..");
const output = path.join(root, "dist");
const compilerOptions = {
  composite: false,
  declaration: false,
  noEmit: true,
  rewriteRelativeImportExtensions: false,
  allowImportingTsExtensions: true,
  noUnusedLocals: false,
  noUnusedParameters: false,
  jsx: "react-jsx",
  types: ["node", "vite/client"],
  customConditions: [],
};

/** One line for each fault: page, line, and what the compiler says. */
export function faultsOf(list: readonly CodePage[]): string[] {
  mkdirSync(output, { recursive: true });
  const folder = mkdtempSync(path.join(output, "code-blocks-"));
  try {
    return [...Map.groupBy(list, augmentationsOf).values()].flatMap((pages, index) => {
      const project = path.join(folder, `${index}`);
      writeProject(project, pages);
      return compile(project, pages);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Pages with the same result are compiled together: they augment the types of the same libraries,
 * and so cannot hide that an import is missing. A page with augmentations of its own is alone.
 */
function augmentationsOf({ name, text }: CodePage): string {
  if (/^declare (?:module|global)\b/m.test(text)) return name;
  return [...new Set(text.match(/latchkey\/(?:express|fastify|koa)\b/g))].toSorted().join(" ");
}

function writeProject(folder: string, pages: readonly CodePage[]): void {
  for (const { name, text } of pages) {
    mkdirSync(path.join(folder, slug(name)), { recursive: true });
    for (const { line, extension, text: code } of codeModules(text)) {
      writeFileSync(path.join(folder, slug(name), `${line}.${extension}`), code);
    }
  }
  const project = { extends: path.join(root, "tsconfig.base.json"), compilerOptions };
  writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(project));
}

/** What the compiler says of the blocks. */
function compile(project: string, pages: readonly CodePage[]): string[] {
  const tsc = path.join(root, "node_modules/.bin/tsc");
  const args = ["--pretty", "false", "-p", project];
  const { stdout, error } = spawnSync(tsc, args, { cwd: project, encoding: "utf8" });
  if (error) throw error;
  const nameOf = new Map(pages.map(({ name }) => [slug(name), name]));
  return stdout.split("\n").flatMap((said) => {
    const [, page = "", line, fault] =
      /^([^/]+)\/[^/]+?\((\d+),\d+\): error TS\d+: (.*)$/.exec(said) ?? [];
    if (nameOf.has(page)) return [`${nameOf.get(page)}:${line}: ${fault}`];
    return said.startsWith("error") ? [`${pages[0]?.name}: ${said}`] : [];
  });
}

function slug(page: string): string {
  return page.replace(/\.md$/, "").replaceAll("/", "-");
}

function read(name: string): CodePage {
  return { name, text: readFileSync(path.join(root, name), "utf8") };
}

if (import.meta.main) {
  const names = globSync(patterns, { cwd: root }).map((name) => name.split(path.sep).join("/"));
  const listed = process.argv.slice(2);
  const compiled = listed.length > 0 ? listed : names;
  const faults = faultsOf(compiled.map(read).filter(({ text }) => codeModules(text).length > 0));
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
