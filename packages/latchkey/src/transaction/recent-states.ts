import { transactionLifetimeSeconds } from "../config/constants.ts";

/** Something that is known of each `state` of the last hour, in the memory of this process. */
export interface RecentStates<T> {
  /** `false` where something is known of this state already: then nothing changes. */
  add(state: string, value: T): boolean;
  get(state: string): T | undefined;
}

/**
 * @param clock epoch milliseconds
 * @param atMost beyond so many the oldest are forgotten, so that nobody can fill the memory
 */
export function createRecentStates<T>(clock: () => number, atMost: number): RecentStates<T> {
  const known = new Map<string, { readonly value: T; readonly since: number }>();

  function forgetOld(): void {
    const longAgo = clock() - transactionLifetimeSeconds * 1000;
    for (const [state, { since }] of known) {
      if (since > longAgo && known.size <= atMost) return;
      known.delete(state);
    }
  }

  return {
    add(state, value) {
      if (known.has(state)) return false;
      known.set(state, { value, since: clock() });
      forgetOld();
      return true;
    },
    get: (state) => known.get(state)?.value,
  };
}
