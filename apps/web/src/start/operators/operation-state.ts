import { type Auth, type Status, version } from "latchkey";

import type { Health, HealthStatus } from "./health.ts";

/** The state in the probes. */
export interface OperationState extends Health {
  /** The store has answered, so requests are wanted. */
  started(auth: Pick<Auth, "status" | "endStreams">): void;
  /** The drain has begun: listening pages reconnect to another instance. */
  draining(): void;
  /** Counts the sign-outs not yet written to the store. */
  pendingSignOuts(): Promise<number>;
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
    pendingSignOuts: async () => (await auth?.status())?.pendingSignOuts ?? 0,
    status: () => status,
    async details() {
      const known = await auth?.status();
      return {
        store: known?.store ?? "not opened",
        provider: known?.provider.state ?? "unknown",
        ...(known !== undefined && failingIn(known)),
        keys: known?.sessionKeys ?? [],
        pendingSignOuts: known?.pendingSignOuts ?? 0,
        version,
        draining: status === "draining",
        warnings: known?.warnings ?? [],
      };
    },
  };
}

/** The connections whose providers fail; no member if there is one connection. */
function failingIn({ connections }: Status): Readonly<Record<string, unknown>> {
  if (connections.length === 0) return {};
  const failing = connections.filter(({ state }) => state === "down");
  return {
    failing: failing.map(({ connection, issuer, reason, downMs }) => ({
      connection,
      issuer,
      reason,
      downMs,
    })),
  };
}
