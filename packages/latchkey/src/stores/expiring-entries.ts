interface Entry {
  readonly value: string;
  readonly expiresAt: number;
}

/** Texts in memory, each until its moment (epoch seconds). */
export interface ExpiringEntries {
  /** `null` where nothing lies there, or its time has passed. */
  get(key: string): string | null;
  set(key: string, value: string, expiresAt: number): void;
  delete(key: string): void;
  clear(): void;
  /** Keys whose time has not passed. */
  keys(): readonly string[];
  /** Entries in memory, those that expired and were not yet removed included. */
  size(): number;
}

/**
 * Entries that every write looks at. Two would keep pace with the writes; with more, those that have expired are
 * soon a small part. No write ever waits for the whole.
 */
const sweptByWrite = 4;

/** @param now the clock, in epoch milliseconds */
export function expiringEntries(now: () => number): ExpiringEntries {
  const entries = new Map<string, Entry>();
  let walk = entries.entries();

  const isActive = ({ expiresAt }: Entry) => expiresAt * 1000 > now();

  function sweep(): void {
    for (let count = 0; count < sweptByWrite; count += 1) {
      const { done, value } = walk.next();
      if (done === true) {
        walk = entries.entries();
        return;
      }
      const [key, entry] = value;
      if (!isActive(entry)) entries.delete(key);
    }
  }

  function get(key: string): string | null {
    const entry = entries.get(key);
    if (entry === undefined) return null;
    if (isActive(entry)) return entry.value;
    entries.delete(key);
    return null;
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
