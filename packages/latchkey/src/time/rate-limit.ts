import { createRecentlyUsed } from "./recently-used.ts";

/**
 * Returns the number of suppressed events of a kind since the last reported one, or `null` if this
 * one is suppressed, too.
 */
export type RateLimit = (kind?: string) => number | null;

/** Customers are kinds, too. */
const kindsAtMost = 1000;

/** @param clock in milliseconds */
export function rateLimit(clock: () => number, everyMs: number): RateLimit {
  const lastOf = createRecentlyUsed<{ readonly at: number; suppressed: number }>(kindsAtMost);
  return (kind = "") => {
    const last = lastOf.get(kind);
    const sinceMs = last === undefined ? everyMs : clock() - last.at;
    // A clock set back must not silence a kind.
    if (last === undefined || sinceMs < 0 || sinceMs >= everyMs) {
      lastOf.set(kind, { at: clock(), suppressed: 0 });
      return last?.suppressed ?? 0;
    }
    last.suppressed += 1;
    return null;
  };
}
