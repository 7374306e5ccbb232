/** Waits until work has ended, well or not, but no longer than so many milliseconds; `false` where it goes on. */
export async function settledWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  const hasEnded = work.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([hasEnded, isLate]);
  } finally {
    clearTimeout(timer);
  }
}
