/** Time as an argument, so that tests can control it. */
export interface Clock {
  /** The device's time in epoch milliseconds. */
  now(): number;
  /** Runs something once after so many milliseconds; the function that it returns cancels this. */
  after(delayMs: number, run: () => void): () => void;
}

export const deviceClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
