import type { Store } from "./store.ts";

interface Entry {
  readonly value: string;
  readonly expiresAt: number;
}

/** Entries are swept when their number has doubled since the last sweep, and never below this. */
const sweepFrom = 1024;

/**
 * A store in the memory of this process: for development and tests. What it holds is lost with the process.
 *
 * @param now the clock, in epoch milliseconds
 */
export function memoryStore(now: () => number = Date.now): Store {
  const entries = new Map<string, Entry>();
  let sweepAt = sweepFrom;

  function active(key: string): string | null {
    const entry = entries.get(key);
    if (entry === undefined) return null;
    if (entry.expiresAt * 1000 > now()) return entry.value;
    entries.delete(key);
    return null;
  }

  function write(key: string, value: string, expiresAt: number): void {
    entries.set(key, { value, expiresAt });
    if (entries.size < sweepAt) return;
    for (const present of entries.keys()) active(present);
    sweepAt = Math.max(sweepFrom, entries.size * 2);
  }

  return {
    get: (keys) => keys.map(active),
    set: write,
    add(key, value, expiresAt) {
      if (active(key) !== null) return false;
      write(key, value, expiresAt);
      return true;
    },
    swap(key, expected, value, expiresAt) {
      if (active(key) !== expected) return false;
      write(key, value, expiresAt);
      return true;
    },
    delete(key) {
      entries.delete(key);
    },
    list(prefix) {
      const keys: string[] = [];
      for (const key of entries.keys()) {
        if (key.startsWith(prefix) && active(key) !== null) keys.push(key);
      }
      return keys;
    },
    close() {
      entries.clear();
    },
  };
}
