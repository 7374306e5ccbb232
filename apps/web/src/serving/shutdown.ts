import type { Server } from "node:http";

/** Requests that are still being answered get this long. */
const graceMs = 8000;

/** Stops taking requests, lets those in flight finish, and resolves when the last connection is gone. */
export function closeGracefully(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const impatience = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(impatience);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** Calls back once, when the process is told to end or the process that started it is gone. */
export function whenToldToEnd(told: () => void): void {
  const once = new AbortController();
  const tell = () => {
    if (once.signal.aborted) return;
    once.abort();
    told();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, tell);
  process.once("disconnect", tell);
}
