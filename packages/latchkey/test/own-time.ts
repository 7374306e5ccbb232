import { readFileSync } from "node:fs";

/**
 * Returns milliseconds by a clock which stops while this thread is ready to run but other processes
 * hold the cores. A busy machine does not count; the thread's own work and waits do. On Linux;
 * elsewhere the ordinary clock.
 */
export function ownTime(): number {
  for (;;) {
    const waited = waitedForCoresMs();
    const now = performance.now();
    // Both values must be of the same moment: after a wait between them, read again.
    if (waitedForCoresMs() === waited) return now - waited;
  }
}

/**
 * Returns the shortest of five runs, in milliseconds by {@link ownTime}. Other work on the machine
 * makes some runs longer, and none shorter.
 */
export async function shortestRun(run: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < 5; count += 1) {
    const start = ownTime();
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await run();
    times.push(ownTime() - start);
  }
  return Math.min(...times);
}

/**
 * See "schedstats" of the Linux kernel: time on the core and time waiting for one (both in
 * nanoseconds), and number of times on the core.
 */
function waitedForCoresMs(): number {
  if (process.platform !== "linux") return 0;
  const [, waited = "0"] = readFileSync("/proc/thread-self/schedstat", "utf8").split(" ");
  return Number(waited) / 1e6;
}

const everyMs = 5;

/** Milliseconds by an idle timer. */
export interface IdleTimer {
  passedMs(): number;
  stop(): void;
}

/**
 * Counts the ticks of an idle timer. They are late on a busy machine, and stop with it. A wait by
 * timers therefore takes no more of these milliseconds on a busy machine.
 */
export function startIdleTimer(): IdleTimer {
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), everyMs);
  return { passedMs: () => ticks * everyMs, stop: () => clearInterval(timer) };
}

/**
 * Watches how long this thread's event loop is blocked.
 *
 * @returns a function to end the watch; it returns the times in milliseconds, the longest first
 */
export function watchEventLoop(): () => readonly number[] {
  const times: number[] = [];
  let before = ownTime();
  const timer = setInterval(() => {
    const now = ownTime();
    times.push(now - before - everyMs);
    before = now;
  }, everyMs);
  return () => {
    clearInterval(timer);
    return times.toSorted((one, other) => other - one);
  };
}
