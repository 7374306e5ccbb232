import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as NetServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Lets a server end without cutting anybody off. */
export interface Drain {
  /** Resolves when the last connection is gone. A second call changes nothing. */
  begin(times: DrainTimes): Promise<Drained>;
}

/** Both from the beginning of the drain, in milliseconds. */
export interface DrainTimes {
  /**
   * Until then the server goes on listening, and while requests come as long again: balancers notice late, and those of
   * a busy machine later. 0 where nobody balances.
   */
  readonly delayMs: number;
  /** Requests that have no response by then are cut. */
  readonly limitMs: number;
}

export interface Drained {
  /** Requests that were cut. */
  readonly cut: number;
  readonly durationMs: number;
}

const lookEveryMs = 50;
/** Looks are counted, not time: a process that stands still accepts and reads nothing meanwhile. */
const looksUntilQuiet = 20;
/** A balancer that has just connected sends its request within so many. */
const looksUntilRequest = 10;

/** @param isAutomatic tells requests that come by themselves, whether the server is wanted or not */
export function createDrain(
  server: Server,
  isAutomatic: (incoming: IncomingMessage) => boolean = () => false,
): Drain {
  const inFlight = new Set<ServerResponse>();
  let requests = 0;
  let ending: Promise<Drained> | undefined;

  function onRequest(incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (!isAutomatic(incoming)) requests += 1;
    if (ending !== undefined) askToClose(outgoing);
    inFlight.add(outgoing);
    outgoing.once("close", () => inFlight.delete(outgoing));
  }
  // Before the application: it may send the head immediately.
  server.prependListener("request", onRequest);

  /** Resolves after so many milliseconds, or later, when no requests come any more. */
  async function untilQuiet(delayMs: number, latestMs: number): Promise<void> {
    const start = performance.now();
    const passed = (ms: number) => performance.now() - start >= ms;
    for (let quiet = 0; !passed(latestMs) && !(passed(delayMs) && quiet >= looksUntilQuiet);) {
      const before = requests;
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      await sleep(lookEveryMs);
      quiet = requests > before ? 0 : quiet + 1;
    }
  }

  async function drain({ delayMs, limitMs }: DrainTimes): Promise<Drained> {
    const start = performance.now();
    const passedMs = () => Math.round(performance.now() - start);
    for (const outgoing of inFlight) askToClose(outgoing);
    const isBalanced = delayMs > 0;
    if (isBalanced) await untilQuiet(delayMs, Math.min(limitMs, 2 * delayMs));
    const leftMs = Math.max(0, limitMs - passedMs());
    const cut = await closeWithin(server, { leftMs, isBalanced, inFlight });
    return { cut, durationMs: passedMs() };
  }

  return { begin: (times) => (ending ??= drain(times)) };
}

interface Closing {
  readonly leftMs: number;
  /** Whether somebody may send requests until the last moment. */
  readonly isBalanced: boolean;
  readonly inFlight: ReadonlySet<ServerResponse>;
}

/** Resolves with the number of requests that were cut. */
function closeWithin(server: Server, { leftMs, isBalanced, inFlight }: Closing): Promise<number> {
  return new Promise((resolve) => {
    let cut = 0;
    let looksLeft = isBalanced ? looksUntilRequest : 0;
    const deadline = setTimeout(() => {
      cut = inFlight.size;
      server.closeAllConnections();
    }, leftMs);
    // A connection that is kept alive is idle as soon as its response has been sent.
    const idleCheck = setInterval(() => {
      looksLeft -= 1;
      if (looksLeft < 0) server.closeIdleConnections();
    }, lookEveryMs);
    // An HTTP server would close the connections that have no request yet, under one that is on its way.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(deadline);
      clearInterval(idleCheck);
      resolve(cut);
    });
  });
}

/** A client that keeps its connection would come back to a server that is gone (RFC 9112, 9.6). */
function askToClose(outgoing: ServerResponse): void {
  if (!outgoing.headersSent) outgoing.setHeader("Connection", "close");
}
