import { transactionLifetimeSeconds } from "../config/constants.ts";

/** Remembers which pending logins have been finished or tried, so that each is good for one try. */
export interface SpentStates {
  /** `false` where this state was claimed before. */
  claim(state: string): boolean;
}

const rememberedAtMost = 10_000;

/**
 * One use of each `state` in this process, also for callbacks that arrive at the same moment with the same
 * cookie. Beyond this process the provider sees to it: a code is good for one token request.
 *
 * @param clock epoch milliseconds
 */
export function createSpentStates(clock: () => number): SpentStates {
  const spentAt = new Map<string, number>();

  function forgetOld(): void {
    const longAgo = clock() - transactionLifetimeSeconds * 1000;
    for (const [state, time] of spentAt) {
      if (time > longAgo && spentAt.size <= rememberedAtMost) return;
      spentAt.delete(state);
    }
  }

  return {
    claim(state) {
      if (spentAt.has(state)) return false;
      spentAt.set(state, clock());
      forgetOld();
      return true;
    },
  };
}
