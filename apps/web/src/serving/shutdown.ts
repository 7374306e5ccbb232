import type { Server } from "node:http";

/** Requests that have not been answered yet get this long. */
const graceMs = 8000;
const idleCheckMs = 50;

/** Stops accepting requests, lets those in flight finish, and resolves when the last connection is gone. */
export function closeGracefully(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
    // A connection that is kept alive is idle as soon as its response has been sent.
    const idleCheck = setInterval(() => server.closeIdleConnections(), idleCheckMs);
    server.close(() => {
      clearTimeout(deadline);
      clearInterval(idleCheck);
      resolve();
    });
  });
}

/** Calls back once, on `SIGINT`, on `SIGTERM`, or when the process that started this one is gone. */
export function onShutdown(callback: () => void): void {
  const once = new AbortController();
  const shutDown = () => {
    if (once.signal.aborted) return;
    once.abort();
    callback();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, shutDown);
  process.once("disconnect", shutDown);
}
