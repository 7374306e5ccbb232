import type { Store } from "../../src/stores/store.ts";

export interface DistantStoreOptions {
  readonly store: Store;
  /** The way of every operation, there and back. The promise of a lost one stays open. */
  readonly way: () => Promise<void>;
  /** Called for every written text (`null` for a deleted one), and for every lease. */
  readonly onWritten: (key: string, text: string | null) => void;
}

/** A store at the other end of a network. */
export function distantStore({ store, way, onWritten }: DistantStoreOptions): Store {
  async function reach<T>(operation: () => T | Promise<T>): Promise<T> {
    await way();
    const result = await operation();
    await way();
    return result;
  }
  return {
    ...store,
    get: (keys) => reach(() => store.get(keys)),
    set: (key, value, until) =>
      reach(() => {
        onWritten(key, value);
        return store.set(key, value, until);
      }),
    add: (key, value, until) =>
      reach(async () => {
        const isNew = await store.add(key, value, until);
        if (isNew) onWritten(key, value);
        return isNew;
      }),
    swap: (key, expected, value, until) =>
      reach(async () => {
        const result = await store.swap(key, expected, value, until);
        if (result === "done") onWritten(key, value);
        return result;
      }),
    delete: (key) =>
      reach(() => {
        onWritten(key, null);
        return store.delete(key);
      }),
    lease: (key, ...lease) =>
      reach(() => {
        onWritten(key, "a lease");
        return store.lease(key, ...lease);
      }),
    release: (...entry) => reach(() => store.release(...entry)),
    join: (...entry) => reach(() => store.join(...entry)),
    leave: (...entry) => reach(() => store.leave(...entry)),
    members: (index) => reach(() => store.members(index)),
  };
}
