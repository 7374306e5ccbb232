import { version } from "../../telemetry/version.ts";
import type { Color } from "../command.ts";
import type { Finding, Verdict } from "./finding.ts";

interface Mark {
  readonly word: string;
  readonly color: Color;
}

const marks: Readonly<Record<Verdict, Mark>> = {
  ok: { word: "ok     ", color: "green" },
  note: { word: "note   ", color: "blue" },
  warning: { word: "warning", color: "yellow" },
  failure: { word: "FAILED ", color: "red" },
  "not-known": { word: "unknown", color: "gray" },
  "not-asked": { word: "skipped", color: "gray" },
};

const order: readonly Verdict[] = ["failure", "warning", "not-known", "note"];

/** A part of the report, and the color of its first word. */
interface Paragraph {
  readonly text: string;
  readonly color?: Color;
}

/** The report for people: what to mend first comes first, and what is in order is counted only. */
export function textReport(findings: readonly Finding[]): readonly Paragraph[] {
  const byVerdict = order.flatMap((verdict) => findings.filter((each) => each.verdict === verdict));
  const shown = byVerdict.toSorted(
    (one, other) => Number(hidesValue(other)) - Number(hidesValue(one)),
  );
  const count = (verdict: Verdict) => findings.filter((each) => each.verdict === verdict).length;
  const sums = `${count("ok")} in order, ${count("failure")} failed, ${count("warning")} warnings, ${count("not-known")} unknown`;
  return [...shown.map(paragraph), { text: sums + listUnasked(findings) }];
}

/** What an option of the command line would find out. */
function listUnasked(findings: readonly Finding[]): string {
  const some = findings.filter(({ verdict, remedy }) => verdict === "not-asked" && remedy !== "");
  const lines = some.map(
    ({ id, title, connection, what, remedy }) =>
      `Not asked: ${id} ${title}${putInBrackets(connection)}, as ${what} (${remedy} asks)`,
  );
  return ["", ...lines].join("\n");
}

/** A value of the shell that hides one of a file explains the failures after it. */
const hidesValue = ({ id, verdict }: Finding): boolean =>
  id === "D05" && (verdict === "warning" || verdict === "failure");

function paragraph({ id, title, connection, ...finding }: Finding): Paragraph {
  const { verdict, what, remedy, page } = finding;
  const { word, color } = marks[verdict];
  const lines = [`${word} ${id} ${title}${putInBrackets(connection)}`, `        ${what}`];
  if (remedy !== "") lines.push(`        → ${remedy}`);
  if (verdict === "failure" || verdict === "warning") lines.push(`        ${page}`);
  return { text: `${lines.join("\n")}\n`, color };
}

function putInBrackets(connection: string | undefined): string {
  return connection === undefined ? "" : ` (${connection})`;
}

/** The report for programs: one document; ids and names of members are stable. */
export function jsonReport(findings: readonly Finding[]): string {
  return JSON.stringify({ version: 1, latchkey: version, findings }, null, 2);
}
