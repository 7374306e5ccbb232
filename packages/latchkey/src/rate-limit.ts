/** How many were suppressed since the last that was told; `null` where this one is suppressed, too. */
export type RateLimit = () => number | null;

/** @param clock in milliseconds */
export function rateLimit(clock: () => number, everyMs: number): RateLimit {
  let toldAt = -Infinity;
  let suppressed = 0;
  return () => {
    if (clock() - toldAt < everyMs) {
      suppressed += 1;
      return null;
    }
    const before = suppressed;
    toldAt = clock();
    suppressed = 0;
    return before;
  };
}
