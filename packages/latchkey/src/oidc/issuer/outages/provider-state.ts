import type { Reason } from "../../../errors/reasons.ts";
import type { Refusal } from "../../../errors/refusal.ts";
import type { Log } from "../../../telemetry/log-event.ts";

export type ProviderState = ReturnType<typeof createProviderState>;

/** Why a provider counts as down, and for how many milliseconds it has. */
export interface ProviderFault {
  readonly reason: Reason;
  readonly downMs: number;
}

/** Logs one event when the first thing fails, and one when the last works again. */
export function createProviderState(log: Log, clock: () => number) {
  const failing = new Set<{ readonly reason: Reason }>();
  let since = 0;
  const downMs = () => Math.max(0, clock() - since);
  return {
    /** The first of what is known to fail; `null` if nothing is. */
    fault(): ProviderFault | null {
      const [first] = failing;
      return first === undefined ? null : { reason: first.reason, downMs: downMs() };
    },
    /**
     * Call it when an endpoint or document fails; call the returned function when it works again.
     */
    failing({ reason, detail }: Refusal): () => void {
      // Two things may fail for the same refusal.
      const its = { reason };
      if (failing.size === 0) {
        since = clock();
        log({ event: "provider-state", state: "down", reason, detail });
      }
      failing.add(its);
      return () => {
        if (!failing.delete(its) || failing.size > 0) return;
        log({ event: "provider-state", state: "up", durationMs: downMs() });
      };
    },
  };
}
