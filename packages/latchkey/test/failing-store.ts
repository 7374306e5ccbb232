import type { MemoryStore } from "../src/stores/memory.ts";
import type { Store } from "../src/stores/store.ts";

type Operation = Exclude<keyof Store, "close">;

/** A store that can be made to fail, and to work again. */
export interface FailingStore extends MemoryStore {
  /** Fails with a given error, or with one that says that the store is down; `false` and `null` end it. */
  fail(error: Error | boolean | null, only?: Operation): void;
}

export function failingStore(inner: MemoryStore): FailingStore {
  let failure: Error | null = null;
  let failing: Operation | undefined;
  function check(operation: Operation): void {
    if (failure !== null && (failing ?? operation) === operation) throw failure;
  }
  return {
    fail(error, only) {
      failure = error === true ? new Error("the store is down") : error || null;
      failing = only;
    },
    get: (keys) => (check("get"), inner.get(keys)),
    set: (...entry) => (check("set"), inner.set(...entry)),
    add: (...entry) => (check("add"), inner.add(...entry)),
    swap: (...entry) => (check("swap"), inner.swap(...entry)),
    delete: (key) => (check("delete"), inner.delete(key)),
    lease: (...entry) => (check("lease"), inner.lease(...entry)),
    release: (...entry) => (check("release"), inner.release(...entry)),
    settle: (...entry) => (check("settle"), inner.settle(...entry)),
    join: (...entry) => (check("join"), inner.join(...entry)),
    leave: (...entry) => (check("leave"), inner.leave(...entry)),
    members: (index) => (check("members"), inner.members(index)),
    list: inner.list,
    close: () => inner.close(),
  };
}
