import { type Store, storeOperations } from "../src/stores/store.ts";

export type Operation = (typeof storeOperations)[number];

/**
 * Wraps a store with a callback before each operation. If the callback throws, the operation fails.
 */
export function watchedStore<S extends Store>(
  store: S,
  before: (operation: Operation, given: readonly unknown[]) => void,
): S {
  const watched = storeOperations.map((operation) => [
    operation,
    (...given: never[]) => {
      before(operation, given);
      return (store[operation] as (...words: never[]) => unknown)(...given);
    },
  ]);
  return { ...store, ...(Object.fromEntries(watched) as Pick<Store, Operation>) };
}
