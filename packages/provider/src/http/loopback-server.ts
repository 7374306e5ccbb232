import type { Server } from "node:http";

/**
 * Starts listening on `localhost`, never on an outside address.
 *
 * @param port 0 takes any free port.
 * @returns the port taken.
 * @throws the server's error, e.g. with `code` `EADDRINUSE` when the port is taken.
 */
export function listenOnLoopback(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "localhost", () => {
      server.off("error", reject);
      const address = server.address();
      resolve(address !== null && typeof address === "object" ? address.port : port);
    });
  });
}

/** Stops listening and ends every open connection, so that nothing keeps the process alive. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
