/**
 * The page `docs/census.md`: the allowed figures. A figure grows only by a decision record which
 * names the new one in its section "Budget".
 */
import type { Figures } from "./figures.ts";

/** A figure on the page. */
export interface Row {
  readonly name: string;
  readonly count: number;
  /** The number of the decision record for it. */
  readonly record: string;
}

/** A decision record, as far as it is about figures. */
export interface Budget {
  /** E.g. `0133`. */
  readonly record: string;
  readonly file: string;
  /** The allowed figures, by name. */
  readonly allowed: ReadonlyMap<string, number>;
}

const command = "node tools/census/main.ts --write";

export function readRows(page: string): readonly Row[] {
  return [...page.matchAll(/^\| (.+?) +\| +(\d+) \| \[(\d{4})\]/gm)].map(
    ([, name = "", count, record = ""]) => ({ name, count: Number(count), record }),
  );
}

/** Reads the section "Budget" of a decision record: lines such as `- Settings: 65`. */
export function readBudget(file: string, text: string): Budget {
  const section = /^## Budget\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(text)?.[1] ?? "";
  const lines = section.matchAll(/^- (.+): (\d+)/gm);
  return {
    record: file.slice(0, 4),
    file,
    allowed: new Map([...lines].map(([, name = "", count]) => [name, Number(count)])),
  };
}

/** Returns what is wrong: a sentence for each figure that is not the one of the page. */
export function faultsOf(
  figures: Figures,
  rows: readonly Row[],
  budgets: readonly Budget[],
): readonly string[] {
  const counted = [...figures].flatMap(([name, { length: count }]) => {
    const row = rows.find((each) => each.name === name);
    const allowed = row?.count ?? -1;
    if (count > allowed) return [hasGrown(name, count, row)];
    return count < allowed
      ? [`${name}: ${count}, and docs/census.md still allows ${allowed}. Run: ${command}`]
      : [];
  });
  const unfounded = rows.flatMap(({ name, count, record }) => {
    const allowed = budgets.find((each) => each.record === record)?.allowed.get(name) ?? -1;
    return count > allowed ? [`${name}: record ${record} does not allow ${count}.`] : [];
  });
  return [...counted, ...unfounded];
}

function hasGrown(name: string, count: number, row: Row | undefined): string {
  return (
    `${name}: ${count}, and docs/census.md allows ${row?.count ?? "none"}. Remove one, or say in a decision ` +
    `record what it replaces or why nothing can go, with the line "- ${name}: ${count}" under ` +
    `"## Budget". Then run: ${command}`
  );
}

/**
 * Returns the rows of today. One whose figure has grown stays as it was, unless there is another
 * record for the new figure. Records are written at the same time, so their numbers say no order.
 */
export function nextRows(
  figures: Figures,
  rows: readonly Row[],
  budgets: readonly Budget[],
): readonly Row[] {
  return [...figures].flatMap(([name, { length: count }]) => {
    const row = rows.find((each) => each.name === name);
    if (row !== undefined && count <= row.count) return [{ ...row, count }];
    const other = budgets.findLast(
      ({ record, allowed }) => record !== row?.record && allowed.get(name) === count,
    );
    if (other !== undefined) return [{ name, count, record: other.record }];
    return row === undefined ? [] : [row];
  });
}

/**
 * Returns the page.
 *
 * @param date - e.g. `2026-11-28`
 */
export function censusPage(rows: readonly Row[], budgets: readonly Budget[], date: string): string {
  const cells = rows.map(({ name, count, record }) => {
    const { file = "" } = budgets.find((budget) => budget.record === record) ?? {};
    return [name, String(count), `[${record}](decisions/${file})`];
  });
  return `# What must be known

Made by \`npm run docs\` from the sources of the engine on ${date}; do not edit it by hand.
\`npm run check\` counts again. It fails if a figure is not the one of this table. A lower one is
written by \`${command}\`. A higher one needs a decision record first, which
says what the new thing replaces, or why nothing can go, and has a line for the figure in its
section "Budget". \`node tools/census/main.ts settings\` lists what was counted.

${table([["What", "Figure", "Record"], ...cells])}
`;
}

/** As the formatter aligns it: the second column to the right. */
function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (column === 1 ? cell.padStart(widths[1] ?? 0) : cell.padEnd(widths[column] ?? 0))).join(" | ")} |`;
  const rule = widths.map((width, column) =>
    column === 1 ? `${"-".repeat(width - 1)}:` : "-".repeat(width),
  );
  return [line(head), `| ${rule.join(" | ")} |`, ...rows.map(line)].join("\n");
}
