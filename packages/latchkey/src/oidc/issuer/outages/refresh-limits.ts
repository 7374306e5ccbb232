import { fullJitterMs } from "../../../time/back-off.ts";
import type { Runtime } from "../../../config/runtime.ts";

/** Protects a busy or failing provider from too many refreshes. */
export interface RefreshLimits {
  /**
   * Whether a refresh may start now. If it does, it must call {@link leave}.
   *
   * @param canWait - the token at hand is still good
   */
  enter(canWait: boolean): boolean;
  leave(): void;
  /**
   * No usable answer came: refreshes for which a token is at hand begin later, and later still
   * after another failure.
   */
  failed(): void;
  succeeded(): void;
}

const callsAtMost = 32;
const backOff = { baseMs: 2000, capMs: 30_000 };

export function createRefreshLimits({
  clock,
  fraction,
}: Pick<Runtime, "clock" | "fraction">): RefreshLimits {
  let running = 0;
  let failures = 0;
  let pausedAt = 0;
  let pauseMs = 0;

  function isPaused(): boolean {
    const sinceMs = clock() - pausedAt;
    // A clock set back must not make it longer.
    return sinceMs >= 0 && sinceMs < pauseMs;
  }

  return {
    enter(canWait) {
      if (running >= callsAtMost || (canWait && isPaused())) return false;
      running += 1;
      return true;
    },
    leave() {
      running -= 1;
    },
    failed() {
      failures += 1;
      pausedAt = clock();
      pauseMs = fullJitterMs(failures, backOff, fraction());
    },
    succeeded() {
      failures = 0;
      pauseMs = 0;
    },
  };
}
