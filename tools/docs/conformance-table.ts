/** `npm run docs`: writes docs/conformance.md from the plans and the names of the tests. */
import { writeFileSync } from "node:fs";
import path from "node:path";

import { behaviorOf } from "@latchkey/provider/hostile";
import { duties } from "../../packages/latchkey/test/conformance/plans/duties.ts";
import {
  type Module,
  outcomes,
  type Plan,
  plans,
} from "../../packages/latchkey/test/conformance/plans/plans.ts";
import {
  decidedOtherwise,
  notApplicable,
} from "../../packages/latchkey/test/conformance/scope/not-applicable.ts";
import {
  type Requirement,
  scope,
  type Section,
} from "../../packages/latchkey/test/conformance/scope/scope.ts";
import { filesPlaying, findProofs, plansFile, type Proof } from "./find-proofs.ts";

const root = path.join(import.meta.dirname, "../..");
export const pageFile: string = path.join(root, "docs/conformance.md");

const requirements = scope.flatMap((section) => section.requirements);

/** The test files of a requirement: its own, and those of the ids in its text. */
function filesOf({ id, provedBy = [] }: Requirement, proofs: readonly Proof[]): readonly string[] {
  const ids = [id, ...provedBy];
  const byName = proofs.filter((proof) => ids.some((each) => proof.ids.has(each)));
  return [...ids.flatMap(filesPlaying), ...byName.map(({ file }) => file)];
}

/**
 * The faults of the proof, in sentences; empty if every id is proved or explained, and none is
 * both.
 */
export function gapsIn(proofs: readonly Proof[]): readonly string[] {
  const known = new Set(requirements.map(({ id }) => id));
  const strangers = [...Object.keys(notApplicable), ...Object.keys(decidedOtherwise)].filter(
    (id) => !known.has(id),
  );
  return [
    ...requirements.flatMap((requirement) => gapIn(requirement, filesOf(requirement, proofs))),
    ...strangers.map((id) => `${id} is explained, and not in the scope`),
  ];
}

function gapIn({ id }: Requirement, files: readonly string[]): readonly string[] {
  const isExplained = id in notApplicable;
  if (files.length === 0) return isExplained ? [] : [`${id} has no test and no explanation`];
  return isExplained ? [`${id} has a test, and is said not to apply`] : [];
}

/** The page, from the tests with ids in their names. */
export function conformancePage(proofs: readonly Proof[]): string {
  const count = plans.reduce((sum, { modules }) => sum + modules.length, 0);
  return [
    "# Conformance",
    "",
    "Made by `npm run docs`; do not edit by hand. Every line stands for tests of `npm test` or `npm run ci`.",
    "",
    "## Plans of the OpenID Foundation",
    "",
    `Each of these ${count} modules is a test by its name in ${linkTo(plansFile)}. It runs the app of the`,
    "README over https, with the settings in [Certification](certification.md), and a hostile provider of another site.",
    "This is no certificate: for one, the suite of the Foundation must run against an app of yours.",
    "",
    "| plan | module | what comes from the provider | the app |",
    "| --- | --- | --- | --- |",
    ...plans.flatMap(planRows),
    "",
    "Whatever its subject, a module fails if the app breaks one of these:",
    "",
    "| condition of the suite | the app |",
    "| --- | --- |",
    ...duties.map(({ condition, says }) => `| ${condition} | ${says} |`),
    "",
    "## Standards, attacks and operation",
    "",
    "A test has the ids of what it proves in its name. Left out are dynamic registration, session management, request",
    "objects and JARM.",
    "",
    "| subject | test | what it proves |",
    "| --- | --- | --- |",
    ...scope.flatMap((section) => sectionRows(section, proofs)),
    "",
    "Some do not apply:",
    "",
    ...listOf(notApplicable),
    "Some are decided otherwise than one might expect:",
    "",
    ...listOf(decidedOtherwise),
  ].join("\n");
}

function planRows({ name, certificate, modules }: Plan): readonly string[] {
  const title = `**${certificate ?? "No certificate"}** ${name}`;
  const shown = certificate === "Form Post RP" ? modules.slice(0, 1) : modules;
  const rest = modules.length - shown.length;
  return [
    ...shown.map((module, index) => `| ${index === 0 ? title : ""} | ${cellsOf(module)} |`),
    ...(rest === 0
      ? []
      : [`| | and the other ${rest} modules of the Basic RP | the same, posted | the same |`]),
  ];
}

function cellsOf({ name, behavior, client }: Module): string {
  return `${name} | ${escapeCell(behaviorOf(behavior).says)} | ${outcomes[client]}`;
}

function sectionRows({ title, requirements: all }: Section, proofs: readonly Proof[]) {
  const proved = all.filter(({ id }) => !(id in notApplicable));
  return groupByFile(proved, proofs).map(
    ([file, rows], index) =>
      `| ${index === 0 ? `**${title}**` : ""} | ${linkTo(file)} | ${rows.map(claimOf).join("<br>")} |`,
  );
}

type Group = readonly [file: string, rows: readonly Requirement[]];

/** Each requirement once, with one of its files: first the file of most of them. */
function groupByFile(rows: readonly Requirement[], proofs: readonly Proof[]): readonly Group[] {
  const counted = Map.groupBy(
    rows.flatMap((row) => [...new Set(filesOf(row, proofs))]),
    (file) => file,
  );
  const best = [...counted].toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0];
  if (best === undefined) return [];
  const isThere = (row: Requirement) => filesOf(row, proofs).includes(best);
  const others = rows.filter((row) => !isThere(row));
  return [[best, rows.filter(isThere)], ...groupByFile(others, proofs)];
}

function claimOf({ id, says }: Requirement): string {
  return `${id} ${escapeCell(says)}`;
}

function linkTo(file: string): string {
  return `[${path.basename(file)}](../${file})`;
}

function listOf(texts: Readonly<Record<string, string>>): readonly string[] {
  return [...Object.entries(texts).map(([id, why]) => `- ${id}: ${why}`), ""];
}

function escapeCell(sentence: string): string {
  return sentence.replaceAll("|", "\\|").replaceAll("<", "&lt;");
}

function main(): void {
  const proofs = findProofs(root);
  const gaps = gapsIn(proofs);
  for (const gap of gaps) console.error(gap);
  if (gaps.length > 0) process.exitCode = 1;
  writeFileSync(pageFile, conformancePage(proofs));
}

if (import.meta.main) main();
