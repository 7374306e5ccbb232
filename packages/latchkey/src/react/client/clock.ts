/** Time as an argument, so that tests can turn it. */
export interface Clock {
  /** The device's time in milliseconds. */
  now(): number;
  /** Runs once after so many milliseconds; the answer calls it off. */
  after(delayMs: number, run: () => void): () => void;
}

export const deviceClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
