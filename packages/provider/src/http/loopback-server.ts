import type { RequestListener, Server } from "node:http";
import { createServer } from "node:http";
import { createServer as createTLSServer } from "node:https";
import type { Certificate } from "./certificate.ts";

export interface LoopbackServer {
  /** Scheme, host and port: `http://localhost:4000`. */
  readonly origin: string;
  /** Stops listening and ends every open connection, so nothing keeps the process alive. */
  close(): Promise<void>;
}

/** The port and protocol of a server. */
export interface ListenOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number | undefined;
  /** When given, the server speaks https. Default: http. */
  readonly certificate?: Certificate | undefined;
}

/**
 * Lets clients close a connection first. If the server closed it, a client could send a request at
 * the same moment and lose it.
 */
const limits = { keepAliveTimeout: 75_000 };

/**
 * Starts a server on `localhost`, never on an outside address.
 *
 * @throws the server's error, e.g. with `code` `EADDRINUSE` when the port is taken.
 */
export async function startLoopbackServer(
  listener: RequestListener,
  { port = 0, certificate }: ListenOptions = {},
): Promise<LoopbackServer> {
  const server =
    certificate === undefined
      ? createServer(limits, listener)
      : createTLSServer({ ...certificate, ...limits }, listener);
  const scheme = certificate === undefined ? "http" : "https";
  return {
    origin: `${scheme}://localhost:${await listen(server, port)}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "localhost", () => {
      server.off("error", reject);
      const address = server.address();
      resolve(address !== null && typeof address === "object" ? address.port : port);
    });
  });
}
