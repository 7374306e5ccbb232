/** What work brings; where that takes longer than so many milliseconds, what `late` returns or throws. */
export async function withDeadline<T, L>(
  ms: number,
  work: Promise<T>,
  late: () => L,
): Promise<T | L> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expired = new Promise<void>((resolve) => {
    // After a pause of the process timers come first: what waits in a socket still counts.
    timer = setTimeout(() => void (timer = setTimeout(resolve)), ms);
  });
  try {
    return await Promise.race([work, expired.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits until work has ended, well or not, but no longer than so many milliseconds; `false` where it goes on. */
export function settledWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const ended = () => true;
  return withDeadline(ms, work.then(ended, ended), () => false);
}
