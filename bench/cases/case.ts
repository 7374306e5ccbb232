import type { Figures } from "../measure/rounds.ts";
import type { Testbed } from "../testbed.ts";

export type Unit = "µs" | "MB";

/** Two subjects, measured round by round, and the highest good ratio. */
export interface Comparison {
  readonly of: string;
  readonly to: string;
  readonly bar?: number;
}

/** One block of the table. */
export interface Case {
  /** For `--only`. */
  readonly name: string;
  readonly title: string;
  readonly unit: Unit;
  readonly comparisons: readonly Comparison[];
  measure(testbed: Testbed): Promise<Figures>;
}
