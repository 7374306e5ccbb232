import { type Auth, version } from "latchkey";

import type { Health, HealthStatus } from "../../serving/operators/health.ts";

/** What probes are told. */
export interface OperationState extends Health {
  /** The store has answered, so requests are wanted. */
  started(auth: Pick<Auth, "status" | "endStreams">): void;
  /** The end has begun: pages that listen come back to another instance. */
  draining(): void;
}

export function createOperationState(): OperationState {
  let status: HealthStatus = "starting";
  let auth: Pick<Auth, "status" | "endStreams"> | undefined;
  return {
    started(started) {
      status = "ready";
      auth = started;
    },
    draining() {
      status = "draining";
      auth?.endStreams();
    },
    status: () => status,
    async details() {
      const known = await auth?.status();
      return {
        store: known?.store ?? "not opened",
        provider: known?.provider.state ?? "not asked",
        keys: known?.sessionKeys ?? [],
        pendingSignOuts: known?.pendingSignOuts ?? 0,
        version,
        draining: status === "draining",
        warnings: known?.warnings ?? [],
      };
    },
  };
}
