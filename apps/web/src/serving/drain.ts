import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as NetServer } from "node:net";

/** Lets a server end without cutting anybody off. */
export interface Drain {
  /** Whether it has begun: no balancer should send more. */
  isUnderWay(): boolean;
  /** Resolves when the last connection is gone. A second call changes nothing. */
  begin(times: DrainTimes): Promise<Drained>;
}

/** Both from the beginning of the drain, in milliseconds. */
export interface DrainTimes {
  /** Until then the server goes on listening: balancers notice late. */
  readonly delayMs: number;
  /** Requests that have no response by then are cut. */
  readonly limitMs: number;
}

export interface Drained {
  /** Requests that were cut. */
  readonly cut: number;
  readonly durationMs: number;
}

const idleCheckMs = 50;
/** A balancer that has just connected sends its request within this. */
const firstRequestWithinMs = 500;

export function createDrain(server: Server): Drain {
  const inFlight = new Set<ServerResponse>();
  let ending: Promise<Drained> | undefined;

  function onRequest(_incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (ending !== undefined) askToClose(outgoing);
    inFlight.add(outgoing);
    outgoing.once("close", () => inFlight.delete(outgoing));
  }
  // Before the application: it may send the head immediately.
  server.prependListener("request", onRequest);

  async function drain({ delayMs, limitMs }: DrainTimes): Promise<Drained> {
    const start = performance.now();
    for (const outgoing of inFlight) askToClose(outgoing);
    await sleep(Math.min(delayMs, limitMs));
    const cut = await closeWithin(Math.max(0, limitMs - delayMs), delayMs > 0);
    return { cut, durationMs: Math.round(performance.now() - start) };
  }

  /**
   * Resolves with the number of requests that were cut.
   *
   * @param isBalanced - whether somebody may send requests until the last moment
   */
  function closeWithin(limitMs: number, isBalanced: boolean): Promise<number> {
    return new Promise((resolve) => {
      let cut = 0;
      const closesIdleFrom = performance.now() + (isBalanced ? firstRequestWithinMs : 0);
      const deadline = setTimeout(() => {
        cut = inFlight.size;
        server.closeAllConnections();
      }, limitMs);
      // A connection that is kept alive is idle as soon as its response has been sent.
      const idleCheck = setInterval(() => {
        if (performance.now() >= closesIdleFrom) server.closeIdleConnections();
      }, idleCheckMs);
      // An HTTP server would close the connections that have no request yet, under one that is on its way.
      NetServer.prototype.close.call(server, () => {
        clearTimeout(deadline);
        clearInterval(idleCheck);
        resolve(cut);
      });
    });
  }

  return {
    isUnderWay: () => ending !== undefined,
    begin: (times) => (ending ??= drain(times)),
  };
}

/** A client that keeps its connection would come back to a server that is gone (RFC 9112, 9.6). */
function askToClose(outgoing: ServerResponse): void {
  if (!outgoing.headersSent) outgoing.setHeader("Connection", "close");
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
