/**
 * The census: prints the figures of `docs/census.md` as the sources have them today, and exits with
 * 1 if one differs. `--write` writes the page. Any other word prints the items of the figures with
 * this word in their names.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";

import { type EntryPoints, type Figures, takeCensus } from "./figures.ts";
import { type Budget, censusPage, faultsOf, nextRows, readBudget, readRows } from "./page.ts";
import type { Sources } from "./tree.ts";

const root = path.join(import.meta.dirname, "../..");
const engine = path.join(root, "packages/latchkey");
const pageFile = path.join(root, "docs/census.md");
const notCounted = /\.(?:test|support)\.tsx?$|\/typed-claims\//;

function readSources(): Sources {
  const cwd = path.join(engine, "src");
  const files = globSync("**/*.{ts,tsx}", { cwd }).map((file) => file.replaceAll(path.sep, "/"));
  return new Map(
    files
      .filter((file) => !notCounted.test(file))
      .map((file) => [file, readFileSync(path.join(cwd, file), "utf8")]),
  );
}

function readEntryPoints(): EntryPoints {
  const { exports } = JSON.parse(readFileSync(path.join(engine, "package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, string | { readonly "@latchkey/source"?: string }>>;
  };
  const entries = Object.entries(exports).filter(([name]) => name !== "./package.json");
  return new Map(
    entries.map(([name, entry]) => {
      const source = typeof entry === "string" ? undefined : entry["@latchkey/source"];
      return [name, source?.replace("./src/", "") ?? null];
    }),
  );
}

function readBudgets(): readonly Budget[] {
  const cwd = path.join(root, "docs/decisions");
  const files = globSync("[0-9]*.md", { cwd }).toSorted();
  return files.map((file) => readBudget(file, readFileSync(path.join(cwd, file), "utf8")));
}

function print(figures: Figures, word: string | undefined): void {
  for (const [name, items] of figures) {
    console.log(`${String(items.length).padStart(4)}  ${name}`);
    const isWanted = word !== undefined && name.toLowerCase().includes(word.toLowerCase());
    if (isWanted) for (const item of items) console.log(`        ${item}`);
  }
}

const [word] = process.argv.slice(2);
const figures = takeCensus(readSources(), readEntryPoints());
const budgets = readBudgets();
const former = readRows(readFileSync(pageFile, "utf8"));
const rows = word === "--write" ? nextRows(figures, former, budgets) : former;
if (!isDeepStrictEqual(rows, former)) {
  writeFileSync(pageFile, censusPage(rows, budgets, new Date().toISOString().slice(0, 10)));
}
print(figures, word);
const faults = faultsOf(figures, rows, budgets);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
