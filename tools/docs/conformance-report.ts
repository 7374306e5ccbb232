import { globSync, readFileSync } from "node:fs";
import path from "node:path";

/** One test of a run, with the ids of the standards list in its title. */
export interface ProofTest {
  /** From the root of the repository. */
  readonly file: string;
  /** The name less its ids. */
  readonly title: string;
  readonly ids: readonly string[];
  /** `null` for a browser test of `npm test`, which is not run for the page. */
  readonly passed: boolean | null;
}

const bracket = /\[((?:[A-Z]+-[\w.]+)(?:, (?:[A-Z]+-)?[\w.]+)*)\]/g;

/** The tests with ids in a JSON report of Vitest. Skipped ones prove nothing and are left out. */
export function proofTests(report: unknown, root: string): readonly ProofTest[] {
  return list(report, "testResults")
    .flatMap((result) => {
      const file = path.relative(root, text(result, "name"));
      return list(result, "assertionResults").map((assertion) => ({ file, assertion }));
    })
    .filter(({ assertion }) => ["passed", "failed"].includes(text(assertion, "status")))
    .map(({ file, assertion }) => ({
      file,
      ...parseName(text(assertion, "fullName")),
      passed: text(assertion, "status") === "passed",
    }))
    .filter(({ ids }) => ids.length > 0)
    .toSorted((one, other) => rank(one) - rank(other) || one.file.localeCompare(other.file));
}

/** The browser tests with ids, by their sources. */
export function storyTests(root: string): readonly ProofTest[] {
  return globSync("e2e/stories/**/*.story.ts", { cwd: root })
    .flatMap((file) => {
      const source = readFileSync(path.join(root, file), "utf8");
      const titles = source.matchAll(/\btest\(\s*"([^"\n]+)"/g);
      return [...titles].map(([, name = ""]) => ({ file, ...parseName(name), passed: null }));
    })
    .filter(({ ids }) => ids.length > 0);
}

function parseName(name: string): Pick<ProofTest, "title" | "ids"> {
  const title = name.replaceAll(bracket, "").replaceAll(/\s+/g, " ").trim();
  return { title, ids: idsIn(name) };
}

/** Tests written for the proof come first. */
function rank({ file }: ProofTest): number {
  return file.includes("/conformance/") ? 0 : 1;
}

/** The ids in a test's name: `[STD-040, ATK-100]`. */
export function idsIn(name: string): readonly string[] {
  return [...name.matchAll(bracket)].flatMap(([, ids = ""]) => ids.split(", "));
}

function list(value: unknown, name: string): readonly unknown[] {
  const member = memberOf(value, name);
  return Array.isArray(member) ? member : [];
}

function text(value: unknown, name: string): string {
  const member = memberOf(value, name);
  return typeof member === "string" ? member : "";
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([own]) => own === name)?.[1]
    : undefined;
}
