import { type Auth, type Log, version } from "latchkey";

import type { Health, HealthStatus } from "../serving/health.ts";

/** What probes are told: learned from the log, so that telling asks nobody. */
export interface OperationState extends Health {
  readonly listen: Log;
  /** The store has answered, so requests are wanted. */
  started(auth: Pick<Auth, "sessionKeys">): void;
  /** The end has begun. */
  draining(): void;
}

export function createOperationState(): OperationState {
  let status: HealthStatus = "starting";
  let store = "up";
  let provider = "up";
  let keys: Auth["sessionKeys"] = async () => [];
  const warnings: string[] = [];
  return {
    listen(event) {
      if (event.event === "store-state") store = event.state;
      if (event.event === "provider-state") provider = event.state;
      if (event.event === "warning" && status === "starting") warnings.push(event.message);
    },
    started({ sessionKeys }) {
      status = "ready";
      keys = sessionKeys;
    },
    draining: () => void (status = "draining"),
    status: () => status,
    details: async () => ({
      store: status === "starting" ? "not opened" : store,
      provider,
      keys: await keys(),
      version,
      draining: status === "draining",
      warnings,
    }),
  };
}
