import { randomBytes } from "./crypto/random-bytes.ts";

/**
 * Clock, randomness, network and console of the runtime. The rest of the engine gets them as
 * arguments.
 */
export const ambient = {
  /** Epoch milliseconds. */
  clock: (): number => Date.now(),
  /** Milliseconds of a monotonic clock: for durations only. */
  monotonic: (): number => performance.now(),
  random: randomBytes,
  wait: (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms)),
  fetch: (input: string, init: RequestInit): Promise<Response> => globalThis.fetch(input, init),
  /** One line on stderr. */
  print: (line: string): void => console.error(line),
};
