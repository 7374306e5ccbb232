/** How long to wait before a call is tried again, in milliseconds. */
export interface BackOff {
  /** The longest first wait. */
  readonly baseMs: number;
  /** No wait is longer. */
  readonly capMs: number;
}

/**
 * Returns a wait by full jitter: a random time up to a bound doubled with each failure. Callers
 * with simultaneous failures thus return at different times.
 *
 * @param failures number of failures before this wait, from 1
 * @param random a number from 0 to less than 1
 */
export function fullJitterMs(failures: number, { baseMs, capMs }: BackOff, random: number): number {
  return random * Math.min(capMs, baseMs * 2 ** (failures - 1));
}

/** A number from 0 to less than 1, of random bytes. */
export function randomFraction(random: (bytes: number) => Uint8Array): number {
  return random(4).reduce((sum, byte) => (sum + byte) / 256, 0);
}
