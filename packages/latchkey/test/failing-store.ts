import type { Store } from "../src/stores/store.ts";

/** A store that can be made to fail, and to work again. */
export interface FailingStore extends Store {
  fail(isFailing: boolean): void;
}

export function failingStore(inner: Store): FailingStore {
  let isFailing = false;
  function check(): void {
    if (isFailing) throw new Error("the store is down");
  }
  return {
    fail: (failing) => void (isFailing = failing),
    get: (keys) => (check(), inner.get(keys)),
    set: (...entry) => (check(), inner.set(...entry)),
    add: (...entry) => (check(), inner.add(...entry)),
    swap: (...entry) => (check(), inner.swap(...entry)),
    delete: (key) => (check(), inner.delete(key)),
    lease: (...entry) => (check(), inner.lease(...entry)),
    release: (...entry) => (check(), inner.release(...entry)),
    settle: (...entry) => (check(), inner.settle(...entry)),
    list: (prefix) => (check(), inner.list(prefix)),
    close: () => inner.close(),
  };
}
