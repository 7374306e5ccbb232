const lookEveryMs = 250;
const longMs = 1000;

/**
 * Reports that the event loop was blocked for more than a second: no request was answered
 * meanwhile. Keeps no process alive.
 *
 * @param onBlocked - receives the duration in milliseconds
 */
export function watchEventLoop(onBlocked: (durationMs: number) => void): void {
  let lookedAt = performance.now();
  setInterval(() => {
    const now = performance.now();
    const durationMs = Math.round(now - lookedAt - lookEveryMs);
    lookedAt = now;
    if (durationMs > longMs) onBlocked(durationMs);
  }, lookEveryMs).unref();
}
