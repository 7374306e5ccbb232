import type { Clock } from "../client/clock.ts";

/** A clock that only moves when it is told to. */
export interface TestClock extends Clock {
  /** Lets time pass; what is due runs, each at its time. */
  advance(ms: number): Promise<void>;
  /** The device sleeps, or its clock is set: the time is another, timers stand still. */
  jump(ms: number): void;
  /** Something was started that goes on without time passing: it is let to run before the next thing. */
  stir(): void;
}

export function createClock(startMs = 1_800_000_000_000): TestClock {
  let [elapsed, shift, stirred] = [0, startMs, true];
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
        if (!stirred) continue;
        stirred = false;
        // oxlint-disable-next-line no-await-in-loop -- one thing after the other
        await idle();
      }
      elapsed = until;
    },
    jump: (ms) => (shift += ms),
    stir: () => (stirred = true),
  };
}

function earliest<T extends { at: number }>(timers: Set<T>): T | undefined {
  let found: T | undefined;
  for (const timer of timers) if (!found || timer.at < found.at) found = timer;
  return found;
}

/** Until everything that can run without time passing has run. */
async function idle(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) {
    // oxlint-disable-next-line no-await-in-loop -- each turn lets the next promise settle
    await Promise.resolve();
  }
}
