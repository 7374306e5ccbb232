import type { Log } from "latchkey";

/** Whether the provider has failed lately, as far as sign-ins have shown. */
export interface ProviderHealth {
  readonly listen: Log;
  isDown(): boolean;
}

const rememberedForSeconds = 60;
const silences: ReadonlySet<unknown> = new Set([
  "provider_busy",
  "provider_failed",
  "provider_timeout",
  "provider_unreachable",
]);

/**
 * Learns from the log: after a fault the provider counts as down for a minute, or until a sign-in.
 */
export function watchProvider(now: () => number): ProviderHealth {
  let failedAt = -Infinity;
  return {
    listen: (event) => {
      if ("reason" in event && silences.has(event.reason)) failedAt = now();
      if (event.event === "sign-in") failedAt = -Infinity;
    },
    isDown: () => now() - failedAt < rememberedForSeconds,
  };
}
