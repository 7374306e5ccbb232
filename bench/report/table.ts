import type { Unit } from "../cases/case.ts";
import type { Figure } from "../measure/statistics.ts";
import type { Row } from "./judge.ts";

const columns = ["case", "measured", "", "against", "", "ratio", "bar", ""];
const words = { passes: "passes", fails: "**fails**", open: "**not measured**", none: "" };

export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map((row, at) => cellsOf(row, rows[at - 1]));
  const alignment = columns.map((_, at) => ([2, 4, 5, 6].includes(at) ? "--:" : "---"));
  return [columns, alignment, ...cells].map((line) => `| ${line.join(" | ")} |`).join("\n");
}

/** How many bars there are, and how many of them are met. */
export function summaryOf(rows: readonly Row[]): string {
  const count = (verdict: Row["verdict"]) => rows.filter((row) => row.verdict === verdict).length;
  const bars = rows.length - count("none");
  const noisy = rows.filter(({ noisy: isNoisy }) => isNoisy).length;
  return `${bars} bars: ${count("passes")} passed, ${count("fails")} failed, ${count("open")} not measured. ${noisy} of ${rows.length} lines are noisy.`;
}

function cellsOf(row: Row, before: Row | undefined): readonly string[] {
  const isSame = before?.title === row.title;
  const verdict = [words[row.verdict], row.noisy ? "_noisy_" : ""].filter((word) => word !== "");
  return [
    isSame ? "" : row.title,
    row.of,
    withUnit(row.figure, row.unit),
    row.to,
    withUnit(row.toFigure, row.unit),
    row.ratio === undefined ? "" : `${threeDigits(row.ratio.value)}${errorOf(row.ratio)}`,
    row.bar === undefined ? "" : `≤ ${row.bar}`,
    verdict.join(", "),
  ];
}

function withUnit(figure: Figure | undefined, unit: Unit): string {
  return figure === undefined ? "–" : `${threeDigits(figure.value)} ${unit}`;
}

function errorOf({ error }: Figure): string {
  return error === 0 ? "" : ` ± ${Math.max(1, Math.round(error * 100))} %`;
}

function threeDigits(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString("en-GB");
}
