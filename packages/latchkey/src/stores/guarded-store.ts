import { Refusal } from "../errors/refusal.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { Store } from "./store.ts";

/**
 * A store whose every fault is a refusal, and is told once.
 *
 * @throws {Refusal} from every operation: `store_unavailable`
 */
export function guardStore(store: Store, onFault: (error: unknown) => void): Store {
  async function guarded<T>(operation: () => MaybePromise<T>): Promise<T> {
    try {
      return await operation();
    } catch (cause) {
      onFault(cause);
      throw new Refusal("store_unavailable", { cause });
    }
  }
  return {
    get: (keys) => guarded(() => store.get(keys)),
    set: (key, value, expiresAt) => guarded(() => store.set(key, value, expiresAt)),
    add: (key, value, expiresAt) => guarded(() => store.add(key, value, expiresAt)),
    swap: (key, expected, value, expiresAt) =>
      guarded(() => store.swap(key, expected, value, expiresAt)),
    delete: (key) => guarded(() => store.delete(key)),
    lease: (key, owner, ms) => guarded(() => store.lease(key, owner, ms)),
    release: (key, owner) => guarded(() => store.release(key, owner)),
    settle: (key, owner, value, ms) => guarded(() => store.settle(key, owner, value, ms)),
    list: (prefix) => guarded(() => store.list(prefix)),
    close: async () => store.close(),
  };
}
