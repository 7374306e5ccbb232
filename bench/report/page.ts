import { readFileSync } from "node:fs";
import path from "node:path";
import type { Row } from "./judge.ts";
import { summaryOf, tableOf } from "./table.ts";

export interface PageParts {
  readonly rows: readonly Row[];
  readonly remarks: readonly string[];
  readonly machine: string;
  readonly versions: string;
  readonly rounds: number;
  /** ISO 8601, the day alone. */
  readonly day: string;
}

/** `docs/performance.md`: how it was measured, the table, and what was found. */
export function performancePage(parts: PageParts): string {
  const { rows, remarks, machine, versions, rounds, day } = parts;
  const read = (name: string) => readFileSync(path.join(import.meta.dirname, name), "utf8").trim();
  return `${[
    read("introduction.md"),
    `Measured on ${day}, ${rounds} rounds. Machine: ${machine}. Peers: ${versions}.`,
    `**${summaryOf(rows)}**`,
    tableOf(rows),
    ...(remarks.length === 0 ? [] : [remarks.map((remark) => `- ${remark}`).join("\n")]),
    read("findings.md"),
  ].join("\n\n")}\n`;
}
