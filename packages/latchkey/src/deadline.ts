/** Time as it passes, whatever the clock on the wall says. */
export interface Timing {
  /** Milliseconds since some moment; never goes back. */
  monotonic(): number;
  wait(ms: number): Promise<void>;
}

/** A deadline passes in so many parts: of a time in which the process stands still, or is busy, it counts one. */
const parts = 5;
/** Timers come before sockets: what waits in one at the end is read first, also where that takes some steps. */
const momentMs = 25;

/**
 * Calls back after so many milliseconds; later where the process has hardly run meanwhile. So what is answered in time by
 * others is not given up because we are late to send or to read.
 *
 * @returns stops it
 */
export function startDeadline(ms: number, onExpired: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  function wait(left: number): void {
    timer =
      left === 0 ? setTimeout(onExpired, momentMs) : setTimeout(() => wait(left - 1), ms / parts);
  }
  wait(parts);
  return () => clearTimeout(timer);
}

/** What work brings; where that takes longer than so many milliseconds, what `late` returns or throws. */
export async function withDeadline<T, L>(
  ms: number,
  work: Promise<T>,
  late: () => L,
): Promise<T | L> {
  const { promise: expired, resolve } = Promise.withResolvers<void>();
  const stop = startDeadline(ms, resolve);
  try {
    return await Promise.race([work, expired.then(late)]);
  } finally {
    stop();
  }
}

/** Waits until work has ended, well or not, but no longer than so many milliseconds; `false` where it goes on. */
export function settledWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const ended = () => true;
  return withDeadline(ms, work.then(ended, ended), () => false);
}
