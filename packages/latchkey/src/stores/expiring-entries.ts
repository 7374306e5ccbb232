interface Entry {
  readonly value: string;
  readonly expiresAt: number;
}

/** Texts in memory, each until its moment (epoch seconds). */
export interface ExpiringEntries {
  /** Returns `null` for a missing or expired entry. */
  get(key: string): string | null;
  set(key: string, value: string, expiresAt: number): void;
  delete(key: string): void;
  clear(): void;
  /** Keys whose time has not passed. */
  keys(): readonly string[];
  /** The number of entries in memory, including expired ones. */
  size(): number;
}

/**
 * The entries checked by every write. Two would keep pace with the writes; with more, expired
 * entries soon are a small part. No write waits for the whole.
 */
const sweptByWrite = 4;

/** Milliseconds after its end for which an entry is kept: a clock may be wrong for a moment. */
const keptMs = 60_000;

/** @param now the clock, in epoch milliseconds */
export function expiringEntries(now: () => number): ExpiringEntries {
  const entries = new Map<string, Entry>();
  let walk = entries.entries();

  const isActive = ({ expiresAt }: Entry) => expiresAt * 1000 > now();
  const isOver = ({ expiresAt }: Entry) => expiresAt * 1000 + keptMs <= now();

  function sweep(): void {
    for (let count = 0; count < sweptByWrite; count += 1) {
      const { done, value } = walk.next();
      if (done === true) {
        walk = entries.entries();
        return;
      }
      const [key, entry] = value;
      if (isOver(entry)) entries.delete(key);
    }
  }

  function get(key: string): string | null {
    const entry = entries.get(key);
    if (entry === undefined) return null;
    return isActive(entry) ? entry.value : null;
  }

  return {
    get,
    set(key, value, expiresAt) {
      entries.set(key, { value, expiresAt });
      sweep();
    },
    delete: (key) => void entries.delete(key),
    clear: () => entries.clear(),
    keys: () => [...entries].flatMap(([key, entry]) => (isActive(entry) ? [key] : [])),
    size: () => entries.size,
  };
}
