import { leaseText, type Store } from "../stores/store.ts";
import type { StoredSession } from "../session/session.ts";
import { recordKey } from "../session/session-handle.ts";
import { canWait } from "./held-token.ts";
import type { Refresh } from "./refresh.ts";
import { repeatInBackground } from "../time/repeat-in-background.ts";
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

/** How one request leases the record of its session. */
export interface Leasing {
  /**
   * Leases the record; `null` if another request has it, or must go first. If the reply of the
   * store was lost, the next try finds out whether the lease is ours.
   *
   * @throws {Refusal} `store_unavailable`: the store takes no writes and could not keep a result
   */
  take(stored: StoredSession): Promise<Lease | null>;
  /** Releases a lease whose reply was lost: it would lock all others out. */
  abandon(): void;
}

/** A lease that may be ours. */
interface Attempt {
  readonly key: string;
  readonly owner: string;
  /** Monotonic milliseconds. */
  readonly begunAt: number;
}

export function createLeasing(refresh: Refresh): Leasing {
  const { context } = refresh;
  const { store, timing } = context;
  const { issuer, refreshLimits } = refresh.connection;
  const leaseMs = spendingMs(issuer);
  let unknown: Attempt | null = null;

  async function attempt(leasing: Store, key: string): Promise<Attempt | null> {
    const former = unknown?.key === key ? unknown : null;
    unknown = former ?? { key, owner: context.randomText(16), begunAt: timing.monotonic() };
    const isLeased = await leasing.lease(key, unknown.owner, leaseMs);
    const isOurs = isLeased || (former !== null && (await isHeld(leasing, former)));
    const taken = isOurs ? unknown : null;
    unknown = null;
    return taken;
  }

  return {
    async take(stored) {
      if (store === null || stored.record === null) return null;
      if (!refreshLimits.enter(canWait(refresh))) return null;
      let taken: Attempt | null = null;
      try {
        taken = await attempt(store, `refresh|${recordKey(stored.record.handle)}`);
      } finally {
        if (taken === null) refreshLimits.leave();
      }
      return taken && leaseOf(refresh, store, taken);
    },
    abandon() {
      if (unknown === null || store === null) return;
      context.background.run("lease of a refresh", releaseSurely(refresh, store, unknown));
    },
  };
}

function leaseOf(refresh: Refresh, store: Store, taken: Attempt): Lease {
  const { timing } = refresh.context;
  const { issuer, refreshLimits } = refresh.connection;
  const until = taken.begunAt + spendingMs(issuer);
  let isKept = false;
  return {
    hasTime: () => timing.monotonic() + issuer.timeoutMs < until,
    keep: () => void (isKept = true),
    async release() {
      refreshLimits.leave();
      if (!isKept) await releaseSurely(refresh, store, taken);
    },
  };
}

async function isHeld(store: Store, { key, owner }: Attempt): Promise<boolean> {
  const [text] = await store.get([key]);
  return text === leaseText(owner);
}

/** At once if the store answers, else later: until then no other request may send the token. */
async function releaseSurely(
  { context }: Refresh,
  store: Store,
  { key, owner }: Attempt,
): Promise<void> {
  const release = async () => store.release(key, owner);
  await release().catch(() => repeatInBackground(context, release));
}
