import { type ExpiringEntries, expiringEntries } from "./expiring-entries.ts";
import { leaseText, type Store } from "./store.ts";

/** A store in memory, which can be looked into. */
export interface MemoryStore extends Store {
  /** Returns the keys with a prefix, for tests: it reads every key. */
  list(prefix?: string): readonly string[];
}

/**
 * Creates a store in the memory of this process, for development and tests. Its content is lost
 * with the process.
 *
 * @param now - the clock, in epoch milliseconds
 */
export function memoryStore(now: () => number = Date.now): MemoryStore {
  const entries = expiringEntries(now);
  const indexes = new Map<string, ExpiringEntries>();

  function add(key: string, value: string, expiresAt: number): boolean {
    if (entries.get(key) !== null) return false;
    entries.set(key, value, expiresAt);
    return true;
  }

  return {
    kind: "memory",
    get: (keys) => keys.map(entries.get),
    set: entries.set,
    add,
    swap(key, expected, value, expiresAt) {
      const present = entries.get(key);
      if (present === null) return "absent";
      if (present === value) return "done";
      if (present !== expected) return "changed";
      entries.set(key, value, expiresAt);
      return "done";
    },
    delete: entries.delete,
    lease: (key, owner, ms) => add(key, leaseText(owner), (now() + ms) / 1000),
    release(key, owner) {
      if (entries.get(key) === leaseText(owner)) entries.delete(key);
    },
    join(index, key, expiresAt) {
      const members = indexes.get(index) ?? expiringEntries(now);
      indexes.set(index, members);
      members.set(key, "", expiresAt);
    },
    leave(index, key) {
      const members = indexes.get(index);
      members?.delete(key);
      if (members?.size() === 0) indexes.delete(index);
    },
    members: (index) => indexes.get(index)?.keys() ?? [],
    list: (prefix = "") => entries.keys().filter((key) => key.startsWith(prefix)),
    close() {
      entries.clear();
      indexes.clear();
    },
  };
}
