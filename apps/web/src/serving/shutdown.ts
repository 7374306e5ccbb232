/** Why the process shall end. */
export type ShutdownCause = "signal" | "fault";

/** A terminal and npm both forward a signal: two at once are one. */
const sameSignalMs = 250;

/**
 * Calls back once: on `SIGINT`, on `SIGTERM`, when the parent process is gone, or on an uncaught
 * error. A second signal exits immediately.
 *
 * @param onFault - receives each uncaught error
 */
export function onShutdown(
  callback: (cause: ShutdownCause) => void,
  onFault: (error: unknown) => void,
): void {
  let since: number | undefined;
  function shutDown(cause: ShutdownCause): void {
    if (since === undefined) {
      since = performance.now();
      callback(cause);
    } else if (cause === "signal" && performance.now() - since > sameSignalMs) {
      process.exit(1);
    }
  }
  function fail(error: unknown): void {
    onFault(error);
    shutDown("fault");
  }
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => shutDown("signal"));
  process.once("disconnect", () => shutDown("signal"));
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);
}
