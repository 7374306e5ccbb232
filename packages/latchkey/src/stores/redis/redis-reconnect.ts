import { setTimeout as sleep } from "node:timers/promises";

import { startDeadline } from "../../time/deadline.ts";
import { storeFaultOf } from "../guard/store-fault.ts";
import { redisFaultOf } from "./redis-commands.ts";

/** A running server has its clients back within this time. */
const backWithinMs = 500;
const tryAgainMs = 25;

/** They change nothing: one whose reply was lost may be sent again. */
const readCommands: ReadonlySet<unknown> = new Set(["GET", "MGET", "TIME"]);

/**
 * Lets commands wait for a connection lost just now. A broken connection, or one given up after a
 * pause of this process, is no reason to refuse a request. If it does not come back, commands fail
 * immediately until it does.
 *
 * @param send - gets a command as its last argument
 */
export function waitForReconnect<Parameters extends readonly unknown[]>(
  send: (...parameters: Parameters) => Promise<unknown>,
): (...parameters: Parameters) => Promise<unknown> {
  let loss: { isRecent: boolean; readonly forget: () => void } | null = null;

  function newLoss() {
    const made = {
      isRecent: true,
      forget: startDeadline(backWithinMs, () => (made.isRecent = false)),
    };
    return made;
  }

  function recover(): void {
    loss?.forget();
    loss = null;
  }

  return async (...parameters) => {
    for (;;) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- each try follows another that has failed
        const reply = await send(...parameters);
        recover();
        return reply;
      } catch (error) {
        if (!isOfConnection(error)) throw error;
        loss ??= newLoss();
        if (!loss.isRecent || !mayRepeat(error, parameters)) throw error;
        // oxlint-disable-next-line no-await-in-loop -- the same
        await sleep(tryAgainMs);
      }
    }
  };
}

function isOfConnection(error: unknown): boolean {
  return storeFaultOf({ faultOf: redisFaultOf }, error) === "refused";
}

function mayRepeat(error: unknown, parameters: readonly unknown[]): boolean {
  const wasSent = !(error instanceof Error) || error.constructor.name !== "ClientOfflineError";
  const command: unknown = parameters.at(-1);
  return !wasSent || (Array.isArray(command) && readCommands.has(command[0]));
}
