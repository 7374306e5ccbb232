import type { Log, Outage, StoreFault } from "../../telemetry/log-event.ts";
import type { Observer, StoreKind } from "../../telemetry/telemetry.ts";
import { rateLimit } from "../../time/rate-limit.ts";

interface StoreFailure {
  readonly reason: StoreFault;
  readonly error: unknown;
}

export interface StoreLogOptions {
  readonly store: StoreKind | undefined;
  readonly log: Log;
  readonly measure: Observer["measure"];
  /** Monotonic, in milliseconds. */
  readonly clock: () => number;
}

/** An answer after this time is slow. */
const slowMs = 250;
const slowEveryMs = 60_000;
const faultEveryMs = 1000;

/**
 * Reports the operations of a store: each one to telemetry, and few events to the log: one per
 * transition, one per second for each kind of fault.
 */
export function createStoreLog(options: StoreLogOptions) {
  const { store = "other", log, measure, clock } = options;
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
    /** @param start - when the operation was begun, by the clock */
    answered(operation: string, start: number, isWrite: boolean): void {
      const durationMs = clock() - start;
      measure({ of: "store-operation", store, operation, durationMs });
      if (isWrite) logWritable();
      if (durationMs < slowMs) return;
      const suppressed = slow();
      if (suppressed !== null) {
        log({ event: "store-slow", operation, durationMs: Math.round(durationMs), suppressed });
      }
    },
    failed(operation: string, start: number, { reason, error }: StoreFailure): void {
      const durationMs = clock() - start;
      measure({ of: "store-operation", store, operation, durationMs, fault: reason });
      const suppressed = faults(reason);
      if (suppressed !== null) log({ event: "store-fault", operation, reason, error, suppressed });
      const isRefusedWrite = reason === "read-only" || reason === "oom";
      if (isRefusedWrite && operation !== "get") logReadOnly(reason);
    },
    down: (reason: StoreFault) => log({ event: "store-state", state: "down", reason }),
    up: (outage: Outage) => log({ event: "store-state", state: "up", ...outage }),
    /** Whether the last write was refused because the store takes none. */
    isReadOnly: () => refusedWrites !== null,
  };
}
