const lookEveryMs = 250;
const longMs = 1000;

/**
 * Tells when the event loop has stood still for more than a second: nobody was answered meanwhile. Keeps no process
 * alive.
 *
 * @param tell - is given for how long, in milliseconds
 */
export function watchEventLoop(tell: (durationMs: number) => void): void {
  let lookedAt = performance.now();
  setInterval(() => {
    const now = performance.now();
    const durationMs = Math.round(now - lookedAt - lookEveryMs);
    lookedAt = now;
    if (durationMs > longMs) tell(durationMs);
  }, lookEveryMs).unref();
}
