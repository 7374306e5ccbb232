import type { Clock } from "../client/browser/clock.ts";

/** A clock that stands still until a test moves it. */
export interface TestClock extends Clock {
  /** Lets time pass; timers run, each at its time. */
  advance(ms: number): Promise<void>;
  /** The device sleeps, or its clock is set: the time changes, timers stand still. */
  jump(ms: number): void;
  /** Promises settle before the next timer runs. */
  settle(): void;
}

export function createClock(startMs = 1_800_000_000_000): TestClock {
  let [elapsed, shift, unsettled] = [0, startMs, true];
  const timers = new Set<{ at: number; run: () => void }>();
  return {
    now: () => elapsed + shift,
    after(delayMs, run) {
      const timer = { at: elapsed + delayMs, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async advance(ms) {
      const until = elapsed + ms;
      await idle();
      for (let next = earliest(timers); next && next.at <= until; next = earliest(timers)) {
        elapsed = Math.max(elapsed, next.at);
        timers.delete(next);
        next.run();
        if (!unsettled) continue;
        unsettled = false;
        // oxlint-disable-next-line no-await-in-loop -- one thing after the other
        await idle();
      }
      elapsed = until;
    },
    jump: (ms) => (shift += ms),
    settle: () => (unsettled = true),
  };
}

function earliest<T extends { at: number }>(timers: Set<T>): T | undefined {
  let found: T | undefined;
  for (const timer of timers) if (!found || timer.at < found.at) found = timer;
  return found;
}

/** Resolves when all promises that need no time have settled. */
async function idle(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) {
    // oxlint-disable-next-line no-await-in-loop -- each turn lets the next promise settle
    await Promise.resolve();
  }
}
