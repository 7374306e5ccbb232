import type { MemoryStore } from "../src/stores/memory.ts";
import { type Operation, watchedStore } from "./watched-store.ts";

/** A store with failures on demand. */
export interface FailingStore extends MemoryStore {
  /**
   * Fails with the given error, or with a connection error for `true`; `false` and `null` end it.
   */
  fail(error: Error | boolean | null, only?: Operation): void;
}

export function failingStore(inner: MemoryStore): FailingStore {
  let failure: Error | null = null;
  let failing: Operation | undefined;
  const store = watchedStore(inner, (operation) => {
    if (failure !== null && (failing ?? operation) === operation) throw failure;
  });
  return {
    ...store,
    fail(error, only) {
      failure = error === true ? new Error("the store is down") : error || null;
      failing = only;
    },
  };
}
