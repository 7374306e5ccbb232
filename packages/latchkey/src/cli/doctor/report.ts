import { styleText } from "node:util";

import { version } from "../../config/constants.ts";
import type { Finding, Verdict } from "./finding.ts";

const marks: Readonly<Record<Verdict, string>> = {
  ok: styleText("green", "ok     "),
  note: styleText("blue", "note   "),
  warning: styleText("yellow", "warning"),
  failure: styleText("red", "FAILED "),
  "not-known": styleText("gray", "unknown"),
  "not-asked": styleText("gray", "skipped"),
};

const order: readonly Verdict[] = ["failure", "warning", "not-known", "note"];

/** The report for people: what to mend first comes first, and what is in order is counted only. */
export function textReport(findings: readonly Finding[]): string {
  const byVerdict = order.flatMap((verdict) => findings.filter((each) => each.verdict === verdict));
  const shown = byVerdict.toSorted(
    (one, other) => Number(hidesValue(other)) - Number(hidesValue(one)),
  );
  const count = (verdict: Verdict) => findings.filter((each) => each.verdict === verdict).length;
  const sums = `${count("ok")} in order, ${count("failure")} failed, ${count("warning")} warnings, ${count("not-known")} unknown`;
  return [...shown.map(paragraph), sums + listUnasked(findings)].join("\n\n");
}

/** What an option of the command line would find out. */
function listUnasked(findings: readonly Finding[]): string {
  const some = findings.filter(({ verdict, remedy }) => verdict === "not-asked" && remedy !== "");
  const lines = some.map(
    ({ id, title, what, remedy }) => `Not asked: ${id} ${title}, as ${what} (${remedy} asks)`,
  );
  return ["", ...lines].join("\n");
}

/** A value of the shell that hides one of a file explains the failures after it. */
const hidesValue = ({ id, verdict }: Finding): boolean => id === "D05" && verdict === "warning";

function paragraph({ id, title, verdict, what, remedy, page }: Finding): string {
  const lines = [`${marks[verdict]} ${id} ${title}`, `        ${what}`];
  if (remedy !== "") lines.push(`        → ${remedy}`);
  if (verdict === "failure" || verdict === "warning") lines.push(`        ${page}`);
  return lines.join("\n");
}

/** The report for programs: one document; ids and names of members are stable. */
export function jsonReport(findings: readonly Finding[]): string {
  return JSON.stringify({ version: 1, latchkey: version, findings }, null, 2);
}
