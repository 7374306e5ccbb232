import type { Case, Comparison, Unit } from "../cases/case.ts";
import type { Figures } from "../measure/rounds.ts";
import { type Figure, figureOf, noisyError, ratioOf } from "../measure/statistics.ts";

/** The result of a case. */
export interface Measured extends Pick<Case, "title" | "unit" | "comparisons"> {
  /** Empty if the measurement failed. */
  readonly figures: Figures;
  /** Why the measurement failed. */
  readonly remark?: string;
}

/** One line of the table. */
export interface Row {
  readonly title: string;
  readonly unit: Unit;
  readonly of: string;
  readonly figure: Figure | undefined;
  readonly to: string;
  readonly toFigure: Figure | undefined;
  readonly ratio: Figure | undefined;
  readonly bar: number | undefined;
  /** `open` if the measurement failed, `none` without a bar. */
  readonly verdict: "passes" | "fails" | "open" | "none";
  readonly noisy: boolean;
}

/** Compares the figures with the bars. */
export function judge(measured: Measured): readonly Row[] {
  return measured.comparisons.map((comparison) => rowOf(measured, comparison));
}

function rowOf({ title, unit, figures }: Measured, { of, to, bar }: Comparison): Row {
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
    bar,
    verdict: verdictOf(ratio?.value, bar),
    noisy: ratio !== undefined && ratio.error > noisyError,
  };
}

function verdictOf(value: number | undefined, bar: number | undefined): Row["verdict"] {
  if (bar === undefined) return "none";
  if (value === undefined) return "open";
  return value <= bar ? "passes" : "fails";
}
