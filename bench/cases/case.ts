import type { Figures } from "../measure/rounds.ts";
import type { World } from "../world.ts";

export type Unit = "µs" | "ms" | "MB" | "kB" | "packages";

/** Two that are measured round by round, and the highest ratio that is good enough, where one was agreed. */
export interface Comparison {
  readonly of: string;
  readonly to: string;
  readonly bar?: number | undefined;
}

/** A figure that has a highest value of its own. */
export interface Limit {
  readonly of: string;
  readonly bar: number;
}

/** What a case has found; nothing is judged here. */
export interface Measured {
  readonly title: string;
  readonly unit: Unit;
  readonly figures: Figures;
  readonly comparisons: readonly Comparison[];
  readonly limits?: readonly Limit[];
  /** Sentences to print: what could not be measured, and why. */
  readonly remarks?: readonly string[];
}

/** One file a case. */
export interface Case {
  /** For `--only`. */
  readonly name: string;
  measure(world: World): Promise<readonly Measured[]>;
}

/** A quick run makes only those comparisons that a bar stands on. */
export function worthMaking(
  { quick }: World,
  comparisons: readonly Comparison[],
): readonly Comparison[] {
  return quick ? comparisons.filter(({ bar }) => bar !== undefined) : comparisons;
}

/** Everything that is compared, each once, in the order of its first mention. */
export function namesIn(comparisons: readonly Comparison[]): readonly string[] {
  return [...new Set(comparisons.flatMap(({ of, to }) => [of, to]))];
}

/** What went wrong, in one line. */
export function messageOf(error: unknown): string {
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return line;
}
