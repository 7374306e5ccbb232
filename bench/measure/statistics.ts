/** A figure with how far its repetitions lie apart. */
export interface Figure {
  /** Median. */
  readonly value: number;
  /** Its standard error, as a share: how far endless repetitions would move it. */
  readonly error: number;
}

/** Beyond this error a figure says little. */
export const noisyError = 0.05;

/** The standard error of a median over the distance of the quartiles, for one repetition. */
const errorOfOne = 0.93;

/** @throws {RangeError} without any repetition */
export function figureOf(repetitions: readonly number[]): Figure {
  const sorted = repetitions.toSorted((one, other) => one - other);
  const value = quantile(sorted, 0.5);
  const distance = quantile(sorted, 0.75) - quantile(sorted, 0.25);
  return { value, error: (errorOfOne * distance) / Math.sqrt(sorted.length) / Math.abs(value) };
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
