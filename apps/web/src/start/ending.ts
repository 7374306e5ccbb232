import type { IncomingMessage, Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

import { createDrain, type DrainTimes } from "../serving/drain.ts";
import type { LineWriter } from "../serving/line-writer.ts";
import type { ShutdownCause } from "../serving/shutdown.ts";
import type { Logger } from "./log.ts";

export interface EndingOptions {
  readonly server: Server;
  readonly isAutomatic: (incoming: IncomingMessage) => boolean;
  readonly times: DrainTimes;
  readonly logger: Logger;
  readonly output: Pick<LineWriter, "flush">;
  readonly onBegin: () => void;
  /** Counts the sign-outs not yet written to the store. */
  readonly pendingSignOuts: () => Promise<number>;
}

/** How the process ends: requests first, then what goes on after its response, then the store. */
export interface Ending {
  /** What is closed when the last request is answered, in this order. */
  closeAlso(close: () => Promise<unknown>): void;
  end(cause: ShutdownCause): void;
}

/** A process in an unknown state ends sooner. */
const limitAfterFaultMs = 10_000;
const closeWithinMs = 3000;
const flushWithinMs = 500;

export function createEnding(options: EndingOptions): Ending {
  const { server, isAutomatic, times, logger, output, onBegin, pendingSignOuts } = options;
  const drain = createDrain(server, isAutomatic);
  const closings: (() => Promise<unknown>)[] = [];

  async function close(): Promise<void> {
    for (const each of closings) {
      // oxlint-disable-next-line no-await-in-loop -- one stands on the other
      await each().catch((error: unknown) => logger.error({ event: "ending", error }));
    }
  }

  async function end(cause: ShutdownCause): Promise<void> {
    onBegin();
    const limitMs = cause === "fault" ? Math.min(times.limitMs, limitAfterFaultMs) : times.limitMs;
    const { cut, durationMs } = await drain.begin({ ...times, limitMs });
    await Promise.race([close(), sleep(closeWithinMs)]);
    const signOutsLost = await pendingSignOuts().catch(() => 0);
    const level = cut + signOutsLost > 0 ? "warn" : "info";
    logger[level]({ event: "ended", cause, requestsCut: cut, signOutsLost, durationMs });
    await output.flush(flushWithinMs);
    process.exit(cause === "fault" ? 1 : 0);
  }

  return {
    closeAlso: (closing) => void closings.push(closing),
    end: (cause) => void end(cause),
  };
}
