import type { Background } from "../time/background.ts";
import type { Timing } from "../time/deadline.ts";
import type { Log } from "../telemetry/log-event.ts";
import type { Observer } from "../telemetry/telemetry.ts";

/** The parts of the process that the engine uses. */
export interface Runtime {
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly timing: Timing;
  /** A random number from 0 to less than 1, to spread calls with; no secret. */
  readonly fraction: () => number;
  /** Random text of so many bytes, base64url. */
  readonly randomText: (bytes: number) => string;
  /** Takes over what no response waits for. */
  readonly background: Background;
  readonly log: Log;
  /** Reports measurements to telemetry; they are not logged. */
  readonly observer: Observer;
}

/** Returns the time in epoch seconds, rounded down. */
export function nowSeconds({ clock }: Pick<Runtime, "clock">): number {
  return Math.floor(clock() / 1000);
}
