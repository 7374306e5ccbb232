import type { Log } from "../../../telemetry/log-event.ts";
import type { Refusal } from "../../../errors/refusal.ts";

export type ProviderState = ReturnType<typeof createProviderState>;

/** Logs one event when the first thing fails, and one when the last works again. */
export function createProviderState(log: Log, clock: () => number) {
  let failing = 0;
  let since = 0;
  return {
    /** Whether anything of the provider is known to fail. */
    isDown: () => failing > 0,
    /**
     * Call it when an endpoint or document fails; call the returned function when it works again.
     */
    failing({ reason, detail }: Refusal): () => void {
      failing += 1;
      if (failing === 1) {
        since = clock();
        log({ event: "provider-state", state: "down", reason, detail });
      }
      return () => {
        failing -= 1;
        if (failing > 0) return;
        log({ event: "provider-state", state: "up", durationMs: Math.max(0, clock() - since) });
      };
    },
  };
}
