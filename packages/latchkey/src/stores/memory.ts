import { expiringEntries } from "./expiring-entries.ts";
import { leaseText } from "./lease.ts";
import type { Store, SwapResult } from "./store.ts";

/**
 * A store in the memory of this process: for development and tests. What it holds is lost with the process.
 *
 * @param now the clock, in epoch milliseconds
 */
export function memoryStore(now: () => number = Date.now): Store {
  const entries = expiringEntries(now);
  const after = (ms: number) => (now() + ms) / 1000;

  function add(key: string, value: string, expiresAt: number): boolean {
    if (entries.get(key) !== null) return false;
    entries.set(key, value, expiresAt);
    return true;
  }

  function swap(key: string, expected: string, value: string, expiresAt: number): SwapResult {
    const present = entries.get(key);
    if (present === null) return "absent";
    if (present === value) return "done";
    if (present !== expected) return "changed";
    entries.set(key, value, expiresAt);
    return "done";
  }

  return {
    get: (keys) => keys.map(entries.get),
    set: entries.set,
    add,
    swap,
    delete: entries.delete,
    lease: (key, owner, ms) => add(key, leaseText(owner), after(ms)),
    release(key, owner) {
      if (entries.get(key) === leaseText(owner)) entries.delete(key);
    },
    settle: (key, owner, value, ms) => swap(key, leaseText(owner), value, after(ms)) === "done",
    list: (prefix) => entries.keys().filter((key) => key.startsWith(prefix)),
    close: entries.clear,
  };
}
