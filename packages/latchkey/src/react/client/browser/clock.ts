/** Time as an argument, for tests. */
export interface Clock {
  /** The device's time in epoch milliseconds. */
  now(): number;
  /** Runs a function once after a delay. Returns a function to cancel it. */
  after(delayMs: number, run: () => void): () => void;
}

export const deviceClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
