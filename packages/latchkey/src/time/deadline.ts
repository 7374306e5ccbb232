/** Time as it passes, whatever the clock on the wall says. */
export interface Timing {
  /** Milliseconds since some moment; never goes back. */
  monotonic(): number;
  wait(ms: number): Promise<void>;
}

/** The clock on the wall, in epoch milliseconds, and the monotonic one, if the caller has it. */
export interface Clocks {
  readonly clock: () => number;
  readonly timing?: Pick<Timing, "monotonic">;
}

/** A moment on both clocks, in milliseconds. */
export interface Moment {
  readonly wall: number;
  readonly monotonic: number;
}

export function momentOf({ clock, timing }: Clocks): Moment {
  const wall = clock();
  return { wall, monotonic: timing?.monotonic() ?? wall };
}

/**
 * Returns the milliseconds since a moment, by the clock on which more time has passed. So nothing
 * with a time limit lives longer because the clock on the wall was set back.
 */
export function elapsedMs(since: Moment, clocks: Clocks): number {
  const { wall, monotonic } = momentOf(clocks);
  return Math.max(wall - since.wall, monotonic - since.monotonic);
}

/** Number of parts of a deadline. A pause of the process, or busy time, counts as one part. */
const parts = 5;
/** Timers run before sockets: data waiting at the end are read first, even in several steps. */
const momentMs = 25;

/**
 * Calls back after so many milliseconds, or later if the process has hardly run meanwhile. A
 * response in time is thus not lost because we send or read late.
 *
 * @returns a function to stop it
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

/** Timers count no further. */
const longestMs = 2 ** 31 - 1;

/**
 * Calls back at a moment (epoch seconds), immediately if it has passed, and after 24 days at the
 * latest.
 *
 * @param clock - in epoch milliseconds
 * @returns a function to stop it
 */
export function callAt(clock: () => number, seconds: number, listener: () => void): () => void {
  const leftMs = Math.max(0, seconds * 1000 - clock());
  const timer = setTimeout(listener, Math.min(leftMs, longestMs));
  return () => clearTimeout(timer);
}

/**
 * Returns the result of the work, or of `late` if the work takes longer than so many milliseconds.
 */
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

/**
 * Waits for the work to settle, at most so many milliseconds. Returns `false` if it is still
 * pending.
 */
export function settledWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const ended = () => true;
  return withDeadline(ms, work.then(ended, ended), () => false);
}
