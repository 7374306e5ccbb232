/**
 * `npm run docs`: runs the tests and writes docs/conformance.md from their results.
 *
 * `node tools/docs/conformance-table.ts <report>` takes the JSON report of an earlier run; with
 * `--check` it writes nothing, and prints every id without proof and explanation.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import {
  decidedOtherwise,
  notApplicable,
} from "../../packages/latchkey/test/conformance/scope/not-applicable.ts";
import { type Requirement, scope } from "../../packages/latchkey/test/conformance/scope/scope.ts";
import { type ProofTest, proofTests, storyTests } from "./conformance-report.ts";

const root = path.join(import.meta.dirname, "../..");
export const pageFile: string = path.join(root, "docs/conformance.md");

const requirements = scope.flatMap((section) => section.requirements);

/** The tests for a requirement: its own, and those of the ids in its text. */
function testsOf({ id, provedBy = [] }: Requirement, tests: readonly ProofTest[]) {
  const ids = [id, ...provedBy];
  return tests.filter((test) => test.ids.some((each) => ids.includes(each)));
}

/**
 * The faults of the proof, in sentences; empty if every id is proved or explained, and none is
 * both.
 */
export function gapsIn(tests: readonly ProofTest[]): readonly string[] {
  const known = new Set(requirements.map(({ id }) => id));
  const strangers = [...Object.keys(notApplicable), ...Object.keys(decidedOtherwise)].filter(
    (id) => !known.has(id),
  );
  return [
    ...requirements.flatMap((requirement) => gapIn(requirement, testsOf(requirement, tests))),
    ...strangers.map((id) => `${id} is explained, and not in the scope`),
  ];
}

function gapIn({ id }: Requirement, tests: readonly ProofTest[]): readonly string[] {
  const isExplained = id in notApplicable;
  if (tests.length === 0) return isExplained ? [] : [`${id} has no test and no explanation`];
  if (isExplained) return [`${id} has a test, and is said not to apply`];
  return tests.every(({ passed }) => passed !== false) ? [] : [`${id} has a test that fails`];
}

/** The page, from the tests of one run. */
export function conformancePage(tests: readonly ProofTest[]): string {
  const proved = requirements.filter(({ id }) => !(id in notApplicable));
  const cases = tests.filter((test) => proved.some((each) => testsOf(each, [test]).length > 0));
  return [
    "# Conformance",
    "",
    "Made by the test run (`npm run docs`); do not edit by hand. Each line is one requirement on a relying party: a module",
    "of the OpenID certification (CERT), of FAPI 2.0 (FAPI), a rule of the standards (STD), a known attack (ATK), a fault or a",
    "property (REL), a requirement of the ASVS to which one of these refers, or of operators (OP). A test carries in its name",
    "the ids that it proves. Most run against a hostile provider, `@latchkey/provider/hostile`, which has a behavior for each id.",
    "",
    "Left out are dynamic registration, session management, request objects, JARM and DPoP.",
    "",
    `**${proved.length} requirements proved by ${cases.length} tests, ${Object.keys(notApplicable).length} that do not apply.**`,
    "",
    ...scope.flatMap(({ title, requirements: rows }) => [
      `## ${title}`,
      "",
      "| id | what is proved | test | result |",
      "|---|---|---|---|",
      ...rows.map((row) => lineOf(row, testsOf(row, tests))),
      "",
    ]),
    "## Decided otherwise than one might expect",
    "",
    "| id | what was decided |",
    "|---|---|",
    ...Object.entries(decidedOtherwise).map(([id, why]) => `| ${id} | ${why} |`),
    "",
  ].join("\n");
}

function lineOf({ id, says, provedBy }: Requirement, tests: readonly ProofTest[]): string {
  const why = notApplicable[id];
  if (why !== undefined) return `| ${id} | ${says} | none | does not apply: ${why} |`;
  const also = provedBy === undefined ? "" : ` (with ${provedBy.join(", ")})`;
  return `| ${id} | ${escapeCell(says)}${also} | ${cellOf(tests)} | ${resultOf(tests)} |`;
}

function resultOf(tests: readonly ProofTest[]): string {
  const failed = tests.filter(({ passed }) => passed === false).length;
  if (failed > 0) return `**${failed} failed**`;
  if (tests.some(({ passed }) => passed)) return "passed";
  return tests.length > 0 ? "in a browser" : "**missing**";
}

/** The first test by name, and how many more there are in which files. */
function cellOf([first, ...more]: readonly ProofTest[]): string {
  if (first === undefined) return "none";
  const others = new Set(more.map(({ file }) => file).filter((file) => file !== first.file));
  const rest = more.length === 0 ? "" : `, and ${more.length} more`;
  const elsewhere = others.size === 0 ? "" : ` (also in ${[...others].map(nameOf).join(", ")})`;
  return `${nameOf(first.file)}: ${escapeCell(first.title)}${rest}${elsewhere}`;
}

function nameOf(file: string): string {
  return `[${path.basename(file)}](../${file})`;
}

function escapeCell(sentence: string): string {
  // oxlint-disable-next-line no-control-regex -- titles quote what tests send
  const oneLine = sentence.replaceAll(/[\u0000-\u001f\u007f]/g, " ");
  return oneLine
    .replaceAll("\\", "\\\\")
    .replaceAll("|", "\\|")
    .replaceAll("<", "&lt;")
    .replaceAll("[", "\\[");
}

/** Runs all tests, quietly, for their report. */
function runTests(): unknown {
  const folder = mkdtempSync(path.join(tmpdir(), "latchkey-docs-"));
  const report = path.join(folder, "vitest.json");
  try {
    console.log("Running the tests, for a minute or two …");
    spawnSync("vitest", ["run", "--reporter=json", `--outputFile=${report}`], { cwd: root });
    return JSON.parse(readFileSync(report, "utf8"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function main(args: readonly string[]): void {
  const reportFile = args.find((arg) => !arg.startsWith("--"));
  const report: unknown =
    reportFile === undefined ? runTests() : JSON.parse(readFileSync(reportFile, "utf8"));
  const tests = [...proofTests(report, root), ...storyTests(root)];
  const gaps = gapsIn(tests);
  for (const gap of gaps) console.error(gap);
  if (gaps.length > 0) process.exitCode = 1;
  if (!args.includes("--check")) writeFileSync(pageFile, conformancePage(tests));
}

if (import.meta.main) main(process.argv.slice(2));
