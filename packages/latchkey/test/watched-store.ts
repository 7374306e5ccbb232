import type { Store } from "../src/stores/store.ts";

const operations = [
  "get",
  "set",
  "add",
  "swap",
  "delete",
  "lease",
  "release",
  "settle",
  "join",
  "leave",
  "members",
] as const;

export type Operation = (typeof operations)[number];

/** The same store, which tells of each operation before it is carried out; where that throws, the operation has failed. */
export function watchedStore<S extends Store>(
  store: S,
  before: (operation: Operation, given: readonly unknown[]) => void,
): S {
  const watched = operations.map((operation) => [
    operation,
    (...given: never[]) => {
      before(operation, given);
      return (store[operation] as (...words: never[]) => unknown)(...given);
    },
  ]);
  return { ...store, ...(Object.fromEntries(watched) as Pick<Store, Operation>) };
}
