import type { Store } from "../../stores/store.ts";
import { markedSession } from "./ended-list.ts";
import type { PendingEnds } from "./pending-ends.ts";

/** The same store, with the sign-outs known to this process only, as if they were written. */
export function withPendingEnds(store: Store, pendingEnds: PendingEnds): Store {
  async function get(keys: readonly string[]): Promise<readonly (string | null)[]> {
    const texts = await store.get(keys);
    if (pendingEnds.size() === 0) return texts;
    const isPending = (key: string) => pendingEnds.has(markedSession(key));
    return keys.map((key, place) => texts[place] ?? (isPending(key) ? "" : null));
  }

  return { ...store, get };
}
