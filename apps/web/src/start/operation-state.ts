import { type Auth, type Log, version } from "latchkey";

import type { Health, HealthStatus } from "../serving/health.ts";

/** What probes are told. */
export interface OperationState extends Health {
  /** Learns what was warned of at the start. */
  readonly listen: Log;
  /** The store has answered, so requests are wanted. */
  started(auth: Pick<Auth, "status">): void;
  /** The end has begun. */
  draining(): void;
}

export function createOperationState(): OperationState {
  let status: HealthStatus = "starting";
  let auth: Pick<Auth, "status"> | undefined;
  const warnings: string[] = [];
  return {
    listen(event) {
      if (event.event === "warning" && status === "starting") warnings.push(event.message);
    },
    started(started) {
      status = "ready";
      auth = started;
    },
    draining: () => void (status = "draining"),
    status: () => status,
    async details() {
      const known = await auth?.status();
      return {
        store: known?.store ?? "not opened",
        provider: known?.provider.state ?? "not asked",
        keys: known?.sessionKeys ?? [],
        owedSignOuts: known?.owedSignOuts ?? 0,
        version,
        draining: status === "draining",
        warnings,
      };
    },
  };
}
