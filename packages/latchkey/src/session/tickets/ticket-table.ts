import { isArrived } from "./ticket.ts";

const sixteenMebibytes = 16 * 1024 * 1024;

export type TicketTable = ReturnType<typeof createTicketTable>;

interface Lease {
  readonly owner: string;
  readonly since: number;
  readonly until: number;
}

/**
 * The tickets that this process knows: all that there are where there is no store, else those it has lately made or
 * seen. Synchronous, so that it can be asked when the head of a response leaves.
 *
 * @param clock epoch milliseconds
 * @param charactersAtMost of keys and texts; beyond, results that have arrived are forgotten first, then the oldest
 */
export function createTicketTable(clock: () => number, charactersAtMost = sixteenMebibytes) {
  const texts = createBoundedTexts(clock, charactersAtMost);
  const leases = new Map<string, Lease>();

  /** A clock that was set back must not make a lease longer. */
  const isHeld = ({ since, until }: Lease) => since <= clock() && clock() < until;

  /** Who holds the lease; `undefined` where nobody does. */
  function ownerOf(key: string): string | undefined {
    const lease = leases.get(key);
    return lease !== undefined && isHeld(lease) ? lease.owner : undefined;
  }

  function forgetLost(): void {
    for (const [key, lease] of leases) {
      if (isHeld(lease)) return;
      leases.delete(key);
    }
  }

  function set(key: string, text: string, ms: number): void {
    leases.delete(key);
    texts.set(key, text, ms);
  }

  return {
    get: texts.get,
    set,
    isLeased: (key: string) => ownerOf(key) !== undefined,
    /** Grants a ticket that is neither leased nor settled. */
    lease(key: string, owner: string, ms: number): boolean {
      if (texts.get(key) !== null || ownerOf(key) !== undefined) return false;
      forgetLost();
      leases.set(key, { owner, since: clock(), until: clock() + ms });
      return true;
    },
    /** `false` where the owner holds no lease. */
    release: (key: string, owner: string) => ownerOf(key) === owner && leases.delete(key),
    /** Puts a text in the place of a lease; `false` where the lease was lost. */
    settle(key: string, owner: string, text: string, ms: number): boolean {
      if (ownerOf(key) !== owner) return false;
      set(key, text, ms);
      return true;
    },
    delete(key: string): void {
      leases.delete(key);
      texts.delete(key);
    },
    /** Nothing is known: nobody needs the key of a ticket to see that. */
    isEmpty: () => leases.size === 0 && texts.isEmpty(),
  };
}

interface TextEntry {
  readonly text: string;
  readonly until: number;
}

/** Texts of settled tickets, each for a while, and together no more than fit. */
function createBoundedTexts(clock: () => number, charactersAtMost: number) {
  /** Each in the order in which it was written. */
  const arrived = new Map<string, TextEntry>();
  const awaited = new Map<string, TextEntry>();
  let characters = 0;

  function remove(key: string): void {
    for (const entries of [arrived, awaited]) {
      const entry = entries.get(key);
      if (entry === undefined) continue;
      entries.delete(key);
      characters -= key.length + entry.text.length;
    }
  }

  function makeRoom(): void {
    for (const entries of [arrived, awaited]) {
      for (const [key, { until }] of entries) {
        if (characters <= charactersAtMost && until > clock()) break;
        remove(key);
      }
    }
  }

  return {
    /** `null` where there is none, or where its time has passed. */
    get(key: string): string | null {
      const entry = awaited.get(key) ?? arrived.get(key);
      return entry !== undefined && entry.until > clock() ? entry.text : null;
    },
    set(key: string, text: string, ms: number): void {
      remove(key);
      (isArrived(text) ? arrived : awaited).set(key, { text, until: clock() + ms });
      characters += key.length + text.length;
      makeRoom();
    },
    delete: remove,
    isEmpty: () => characters === 0,
  };
}
