/**
 * Returns the number of suppressed events of a kind since the last reported one, or `null` if this
 * one is suppressed, too.
 */
export type RateLimit = (kind?: string) => number | null;

/** @param clock in milliseconds */
export function rateLimit(clock: () => number, everyMs: number): RateLimit {
  const lastOf = new Map<string, { readonly at: number; suppressed: number }>();
  return (kind = "") => {
    const last = lastOf.get(kind);
    if (last === undefined || clock() - last.at >= everyMs) {
      lastOf.set(kind, { at: clock(), suppressed: 0 });
      return last?.suppressed ?? 0;
    }
    last.suppressed += 1;
    return null;
  };
}
