import type { Options, Store } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";

/** Whether one call fails, or that one and all after it. */
export type Lasting = "once" | "from then on";

/** Makes the n-th call to anything that an app hands in fail. */
export interface FaultInjector {
  /** Parts to give to an app; they work until armed. */
  readonly parts: Partial<Options>;
  /** The store beneath, which never fails. */
  readonly store: Store;
  arm(nth: number, lasting: Lasting): void;
  /** Lets everything work again; returns whether a call has failed. */
  disarm(): boolean;
}

export function createFaultInjector(parts: Partial<Options> = {}): FaultInjector {
  const store = memoryStore();
  let armed: { readonly nth: number; readonly lasting: Lasting } | null = null;
  let calls = 0;
  let fired = false;

  function pass(name: string): void {
    if (armed === null) return;
    calls += 1;
    const isDue = armed.lasting === "once" ? calls === armed.nth : calls >= armed.nth;
    if (!isDue) return;
    fired = true;
    throw new Error(`injected into ${name}`);
  }

  return {
    store,
    parts: {
      ...parts,
      store: failing(store, pass),
      clock: () => at("clock", () => (parts.clock ?? Date.now)()),
      random: (bytes) => at("random", () => crypto.getRandomValues(new Uint8Array(bytes))),
      fetch: async (input, init) => at("fetch", () => (parts.fetch ?? fetch)(input, init)),
      renderProblem: (problem) => at("renderProblem", () => `<p>${problem.reason}</p>`),
      renderSignedOut: () => at("renderSignedOut", () => "<p>signed out</p>"),
      hooks: {
        afterCallback: (session) => at("afterCallback", () => session),
        beforeSave: async (session) => at("beforeSave", () => session),
        afterRefresh: (session) => at("afterRefresh", () => session),
      },
    },
    arm(nth, lasting) {
      armed = { nth, lasting };
      calls = 0;
      fired = false;
    },
    disarm() {
      armed = null;
      return fired;
    },
  };

  function at<T>(name: string, call: () => T): T {
    pass(name);
    return call();
  }
}

/** Some methods throw and some reject, as stores do. */
function failing(store: Store, pass: (name: string) => void): Store {
  return {
    ...store,
    get(keys) {
      pass("store.get");
      return store.get(keys);
    },
    async set(key, value, expiresAt) {
      pass("store.set");
      return store.set(key, value, expiresAt);
    },
    async add(key, value, expiresAt) {
      pass("store.add");
      return store.add(key, value, expiresAt);
    },
    swap(key, expected, value, expiresAt) {
      pass("store.swap");
      return store.swap(key, expected, value, expiresAt);
    },
    async lease(key, owner, ms) {
      pass("store.lease");
      return store.lease(key, owner, ms);
    },
    release(key, owner) {
      pass("store.release");
      return store.release(key, owner);
    },
    settle(key, owner, value, ms) {
      pass("store.settle");
      return store.settle(key, owner, value, ms);
    },
    async delete(key) {
      pass("store.delete");
      return store.delete(key);
    },
  };
}
