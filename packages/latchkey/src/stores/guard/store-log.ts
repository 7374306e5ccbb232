import type { Log, Outage, StoreFault } from "../../config/telemetry/log-event.ts";
import { rateLimit } from "../../rate-limit.ts";

/** Tells what a store does, in few events: one a transition, one a second for each kind of fault. */
export interface StoreLog {
  answered(operation: string, durationMs: number, isWrite: boolean): void;
  failed(operation: string, reason: StoreFault, error: unknown): void;
  down(reason: StoreFault): void;
  up(outage: Outage): void;
  /** Whether the last write was refused because the store takes none. */
  isReadOnly(): boolean;
}

export interface StoreLogOptions {
  readonly log: Log;
  /** Monotonic, in milliseconds. */
  readonly clock: () => number;
}

/** An answer that takes so long is slow. */
const slowMs = 250;
const slowEveryMs = 60_000;
const faultEveryMs = 1000;

export function createStoreLog({ log, clock }: StoreLogOptions): StoreLog {
  const slow = rateLimit(clock, slowEveryMs);
  const faults = rateLimit(clock, faultEveryMs);
  let refusedWrites: { readonly since: number; failures: number } | null = null;

  function logReadOnly(reason: StoreFault): void {
    refusedWrites ??= { since: clock(), failures: 0 };
    refusedWrites.failures += 1;
    if (refusedWrites.failures === 1) log({ event: "store-state", state: "read-only", reason });
  }

  function logWritable(): void {
    if (refusedWrites === null) return;
    const { failures, since } = refusedWrites;
    refusedWrites = null;
    log({
      event: "store-state",
      state: "up",
      failures,
      durationMs: Math.round(clock() - since),
    });
  }

  return {
    answered(operation, durationMs, isWrite) {
      if (isWrite) logWritable();
      if (durationMs < slowMs) return;
      const suppressed = slow();
      if (suppressed !== null) {
        log({ event: "store-slow", operation, durationMs: Math.round(durationMs), suppressed });
      }
    },
    failed(operation, reason, error) {
      const suppressed = faults(reason);
      if (suppressed !== null) log({ event: "store-fault", operation, reason, error, suppressed });
      if (reason === "read-only" || reason === "oom") logReadOnly(reason);
    },
    down: (reason) => log({ event: "store-state", state: "down", reason }),
    up: (outage) => log({ event: "store-state", state: "up", ...outage }),
    isReadOnly: () => refusedWrites !== null,
  };
}
