import type { Options, Store } from "../../../src/index.ts";
import { memoryStore } from "../../../src/stores/memory.ts";
import { watchedStore } from "../../watched-store.ts";

/** Whether one call fails, or also all later ones. */
export type Lasting = "once" | "from then on";

/** Makes the n-th call to anything supplied by the app fail. */
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
      store: watchedStore(store, (operation) => pass(`store.${operation}`)),
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
