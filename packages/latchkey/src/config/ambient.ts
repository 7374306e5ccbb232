import { consoleLog } from "./telemetry/console-log.ts";
import { limitOwnFaults } from "./telemetry/limit-own-faults.ts";
import type { Log } from "./telemetry/log-event.ts";

/**
 * Clock, randomness, network and console of the runtime: the one place where the engine takes them
 * from its surroundings. Everywhere else they are arguments.
 */
export const ambient = {
  /** Epoch milliseconds. */
  clock: (): number => Date.now(),
  /** Milliseconds that no correction of the clock changes: for durations only. */
  monotonic: (): number => performance.now(),
  random,
  wait: (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms)),
  fetch: (input: string, init: RequestInit): Promise<Response> => globalThis.fetch(input, init),
  /** Warnings and errors on stderr, one line each. */
  log: (production: boolean): Log =>
    limitOwnFaults(
      consoleLog({ production, write: (line) => console.error(line), clock: () => Date.now() }),
      () => performance.now(),
    ),
};

/**
 * Random bytes are fetched for many values together: a sign-in needs several, and each call to the
 * system costs.
 */
const pool = new Uint8Array(2048);
let used = pool.length;

/** No byte is returned twice, and none is kept. */
function random(bytes: number): Uint8Array {
  if (bytes > pool.length) return crypto.getRandomValues(new Uint8Array(bytes));
  if (used + bytes > pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  const fresh = pool.slice(used, used + bytes);
  pool.fill(0, used, used + bytes);
  used += bytes;
  return fresh;
}
