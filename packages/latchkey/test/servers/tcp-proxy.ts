import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A connection between us and a local server, with faults on demand. */
export interface TCPProxy {
  readonly port: number;
  /** Every piece of the answers waits so long, in milliseconds. */
  delay(ms: number): void;
  /** Nothing passes any more, in either direction; connections stay open. */
  swallow(swallowed: boolean): void;
  /** Nothing passes until it is let go on; nothing is lost. */
  hold(isHeld: boolean): void;
  /** Passes the next request on, and cuts the connection before its response. */
  cutNextAnswer(): void;
  /** Connects new connections to another server, as after a DNS change. */
  leadTo(port: number): void;
  /** Resets every connection. */
  reset(): void;
  close(): Promise<void>;
}

export async function startProxy(firstTarget: number): Promise<TCPProxy> {
  let targetPort = firstTarget;
  const sockets = new Set<Socket>();
  let delayMs = 0;
  let isSwallowing = false;
  let isHolding = false;
  let cutsNext = false;

  function track(socket: Socket): Socket {
    sockets.add(socket);
    if (isHolding) socket.pause();
    return socket.on("error", () => undefined).on("close", () => void sockets.delete(socket));
  }

  const server = createServer((caller) => {
    track(caller);
    const target = track(connect(targetPort, "127.0.0.1"));
    caller.on("data", (piece) => {
      if (!isSwallowing) target.write(piece);
    });
    target.on("data", (piece) => {
      if (isSwallowing) return;
      if (cutsNext) {
        cutsNext = false;
        caller.resetAndDestroy();
      } else if (delayMs > 0) {
        setTimeout(() => caller.write(piece), delayMs);
      } else {
        caller.write(piece);
      }
    });
    caller.on("close", () => target.destroy());
    target.on("close", () => caller.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    delay: (ms) => void (delayMs = ms),
    swallow: (swallowed) => void (isSwallowing = swallowed),
    hold(isHeld) {
      isHolding = isHeld;
      for (const socket of sockets) {
        if (isHeld) socket.pause();
        else socket.resume();
      }
    },
    cutNextAnswer: () => void (cutsNext = true),
    leadTo: (port) => void (targetPort = port),
    reset() {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
