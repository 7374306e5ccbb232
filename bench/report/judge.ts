import type { Comparison, Limit, Measured, Unit } from "../cases/case.ts";
import { type Figure, figureOf, noisySpread, ratioOf } from "../measure/statistics.ts";

/** One line of the table. */
export interface Row {
  readonly title: string;
  readonly unit: Unit;
  readonly of: string;
  readonly figure: Figure | undefined;
  readonly to: string | undefined;
  readonly toFigure: Figure | undefined;
  readonly ratio: Figure | undefined;
  readonly bar: string;
  /** `open` where a bar stands but nothing could be measured, `none` where there is no bar. */
  readonly verdict: "passes" | "fails" | "open" | "none";
  readonly noisy: boolean;
}

/** Holds what was found against the bars. */
export function judge(measured: Measured): readonly Row[] {
  return [
    ...(measured.limits ?? []).map((limit) => limitRow(measured, limit)),
    ...measured.comparisons.map((comparison) => comparisonRow(measured, comparison)),
  ];
}

function comparisonRow({ title, unit, figures }: Measured, { of, to, bar }: Comparison): Row {
  const [these, those] = [figures.get(of), figures.get(to)];
  const ratio = these && those && ratioOf(these, those);
  return {
    title,
    unit,
    of,
    figure: these && figureOf(these),
    to,
    toFigure: those && figureOf(those),
    ratio,
    bar: bar === undefined ? "" : `≤ ${shortened(bar)}`,
    verdict: verdictOf(ratio?.value, bar),
    noisy: ratio !== undefined && ratio.spread > noisySpread,
  };
}

function limitRow({ title, unit, figures }: Measured, { of, bar }: Limit): Row {
  const these = figures.get(of);
  const figure = these && figureOf(these);
  return {
    title,
    unit,
    of,
    figure,
    to: undefined,
    toFigure: undefined,
    ratio: undefined,
    bar: `≤ ${shortened(bar)} ${unit}`,
    verdict: verdictOf(figure?.value, bar),
    noisy: figure !== undefined && figure.spread > noisySpread,
  };
}

function verdictOf(value: number | undefined, bar: number | undefined): Row["verdict"] {
  if (bar === undefined) return "none";
  if (value === undefined) return "open";
  return value <= bar ? "passes" : "fails";
}

function shortened(bar: number): string {
  return `${Number(bar.toFixed(2))}`;
}
