import { readFileSync } from "node:fs";

/**
 * Milliseconds by a clock that stands still while this thread is ready to work and other processes have the cores. So a busy
 * machine does not count, and whatever the thread does or waits for does. On Linux; elsewhere the ordinary clock.
 */
export function ownTime(): number {
  for (;;) {
    const waited = waitedForCoresMs();
    const now = performance.now();
    // Both of the same moment: whoever has to wait between the two begins anew.
    if (waitedForCoresMs() === waited) return now - waited;
  }
}

/**
 * The shortest of five runs, in milliseconds by {@link ownTime}: what else a machine does makes some runs longer, and none
 * shorter.
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

/** See "schedstats" of the Linux kernel: time on the core, time waiting for one (both in nanoseconds), times it got one. */
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
 * Counts the ticks of an idle timer: on a busy machine they come late, and none come while it stands still, as everything
 * else does. So what needs so many milliseconds by timers has so many here, on any machine, or fewer.
 */
export function startIdleTimer(): IdleTimer {
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), everyMs);
  return { passedMs: () => ticks * everyMs, stop: () => clearInterval(timer) };
}

/** A machine under load makes a few pauses that nobody counts, so the longest ones prove nothing. */
export const pausesOfMachine = 10;

/**
 * Watches how long this thread's event loop is kept from turning.
 *
 * @returns a function that ends the watch, and tells the times in milliseconds, the longest first
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
