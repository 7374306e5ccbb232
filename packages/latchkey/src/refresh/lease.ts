import type { StoredSession } from "../session/session.ts";
import { recordKey } from "../session/session-handle.ts";
import { canWait } from "./held-token.ts";
import type { Refresh } from "./refresh.ts";
import { spendingMs } from "./spend-refresh-token.ts";

/** The right to send the refresh token of a record. */
export interface Lease {
  /**
   * Whether one more call to the provider would end before the lease does, by a monotonic clock.
   */
  hasTime(): boolean;
  /** Leaves the lease to its own end. */
  keep(): void;
  release(): Promise<void>;
}

/**
 * Leases the record of a session; `null` if another request has it, or must go first.
 *
 * @throws {Refusal} `store_unavailable`: the store takes no writes and could not keep a result
 */
export async function takeLease(refresh: Refresh, stored: StoredSession): Promise<Lease | null> {
  const { context } = refresh;
  const { store, timing, refreshes } = context;
  if (store === null || stored.record === null) return null;
  if (!refreshes.limits.enter(canWait(refresh))) return null;
  const key = `refresh|${recordKey(stored.record.handle)}`;
  const owner = context.randomText(16);
  const leaseMs = spendingMs(context);
  const leasedAt = timing.monotonic();
  let isKept = false;
  try {
    if (!(await store.lease(key, owner, leaseMs))) return leave();
  } catch (error) {
    leave();
    throw error;
  }

  function leave(): null {
    refreshes.limits.leave();
    return null;
  }

  return {
    hasTime: () => timing.monotonic() + context.config.httpTimeout < leasedAt + leaseMs,
    keep: () => void (isKept = true),
    async release() {
      leave();
      // An unreleased lease ends by itself.
      if (!isKept) await Promise.resolve(store.release(key, owner)).catch(() => undefined);
    },
  };
}
