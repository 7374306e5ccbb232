import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Lets a server end without cutting anybody off. */
export interface Drain {
  /** Resolves when the last connection is gone. A second call changes nothing. */
  begin(times: DrainTimes): Promise<Drained>;
}

/** Both from the beginning of the drain, in milliseconds. */
export interface DrainTimes {
  /**
   * Until then the server continues to listen, and while requests come up to twice as long:
   * balancers notice late, and busy ones later. 0 without a balancer.
   */
  readonly delayMs: number;
  /** Requests without a response by then are cut. */
  readonly limitMs: number;
}

export interface Drained {
  readonly cut: number;
  readonly durationMs: number;
}

const lookEveryMs = 50;
/** Looks are counted, not time: a blocked process accepts and reads nothing meanwhile. */
const looksUntilQuiet = 20;
/** A new connection of a balancer brings its request within so many. */
const looksUntilRequest = 10;

/** @param isAutomatic whether a request comes by itself, wanted or not */
export function createDrain(
  server: Server,
  isAutomatic: (incoming: IncomingMessage) => boolean = () => false,
): Drain {
  const inFlight = new Set<ServerResponse>();
  const unused = new Set<Socket>();
  let requests = 0;
  let ending: Promise<Drained> | undefined;

  function onRequest(incoming: IncomingMessage, outgoing: ServerResponse): void {
    unused.delete(incoming.socket);
    if (!isAutomatic(incoming)) requests += 1;
    if (ending !== undefined) closeConnectionAfter(outgoing);
    inFlight.add(outgoing);
    outgoing.once("close", () => inFlight.delete(outgoing));
  }
  // Before the application: it may send the head immediately.
  server.prependListener("request", onRequest);
  server.on("connection", (socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });

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
    for (const outgoing of inFlight) closeConnectionAfter(outgoing);
    const isBalanced = delayMs > 0;
    if (isBalanced) await untilQuiet(delayMs, Math.min(limitMs, 2 * delayMs));
    const leftMs = Math.max(0, limitMs - passedMs());
    const cut = await closeWithin(server, { leftMs, isBalanced, inFlight, unused });
    return { cut, durationMs: passedMs() };
  }

  return { begin: (times) => (ending ??= drain(times)) };
}

interface Closing {
  readonly leftMs: number;
  /** Whether a balancer may send requests until the last moment. */
  readonly isBalanced: boolean;
  readonly inFlight: ReadonlySet<ServerResponse>;
  /** Connections without a request so far. Browsers open some in advance. */
  readonly unused: ReadonlySet<Socket>;
}

/** Resolves with the number of cut requests. */
function closeWithin(
  server: Server,
  { leftMs, isBalanced, inFlight, unused }: Closing,
): Promise<number> {
  return new Promise((resolve) => {
    let cut = 0;
    let looksLeft = isBalanced ? looksUntilRequest : 0;
    const deadline = setTimeout(() => {
      cut = inFlight.size;
      server.closeAllConnections();
    }, leftMs);
    // A kept connection is idle as soon as its response has been sent.
    const idleCheck = setInterval(() => {
      looksLeft -= 1;
      if (looksLeft >= 0) return;
      server.closeIdleConnections();
      for (const socket of unused) socket.destroy();
    }, lookEveryMs);
    // The method of an HTTP server would close connections without a request, under one on its way.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(deadline);
      clearInterval(idleCheck);
      resolve(cut);
    });
  });
}

/** A client with a kept connection would come back to a closed server (RFC 9112, 9.6). */
function closeConnectionAfter(outgoing: ServerResponse): void {
  if (!outgoing.headersSent) outgoing.setHeader("Connection", "close");
}
