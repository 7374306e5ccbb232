import type { Problem } from "latchkey";

/** Remembers whether the provider has failed lately, as far as problem pages have shown. */
export interface ProviderTrouble {
  note(problem: Pick<Problem, "reason">): void;
  isRecent(): boolean;
}

const rememberedForSeconds = 60;
const silences: ReadonlySet<string> = new Set([
  "provider_busy",
  "provider_failed",
  "provider_timeout",
  "provider_unreachable",
]);

/** @param now - in epoch seconds */
export function createProviderTrouble(now: () => number): ProviderTrouble {
  let failedAt = -Infinity;
  return {
    note({ reason }) {
      if (silences.has(reason)) failedAt = now();
    },
    isRecent: () => now() - failedAt < rememberedForSeconds,
  };
}
