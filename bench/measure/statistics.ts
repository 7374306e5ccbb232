/** A figure with how far its repetitions lie apart. */
export interface Figure {
  /** Median. */
  readonly value: number;
  /** Half of the distance between the quartiles, as a share of the median. */
  readonly spread: number;
}

/** Beyond this spread a figure says little. */
export const noisySpread = 0.15;

/** @throws {RangeError} without any repetition */
export function figureOf(repetitions: readonly number[]): Figure {
  const sorted = repetitions.toSorted((one, other) => one - other);
  const value = quantile(sorted, 0.5);
  return { value, spread: (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / 2 / value };
}

/** Returns the ratio of two measurements, taken within each round. */
export function ratioOf(these: readonly number[], those: readonly number[]): Figure {
  return figureOf(these.map((value, round) => value / (those[round] ?? Number.NaN)));
}

function quantile(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const low = sorted[Math.floor(position)];
  const high = sorted[Math.ceil(position)];
  if (low === undefined || high === undefined) throw new RangeError("Nothing was measured");
  return low + (high - low) * (position - Math.floor(position));
}
