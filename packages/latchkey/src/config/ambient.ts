import { randomBytes } from "../crypto/random-bytes.ts";
import { consoleLog } from "../telemetry/console-log.ts";
import { limitOwnFaults } from "../telemetry/limit-own-faults.ts";
import type { Log } from "../telemetry/log-event.ts";

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
  /** One line for the developer. */
  print: (line: string): void => console.error(line),
  /** Warnings and errors on stderr, one line each. */
  log: (production: boolean): Log =>
    limitOwnFaults(
      consoleLog({ production, write: (line) => console.error(line), clock: () => Date.now() }),
      () => performance.now(),
    ),
};
