import type { Store } from "../../stores/store.ts";
import { isEnded, markKeys } from "./ended-list.ts";
import { signInTimesOf } from "../read-session.ts";
import type { SessionHeader } from "../session.ts";
import type { SignInTimes } from "./mark.ts";

/** Tells when sessions end elsewhere, for pages that are open. */
export interface EndWatch {
  /**
   * Watches a session until it has ended or the returned function is called.
   *
   * @param onEnd - called once
   */
  watch(header: SessionHeader, onEnd: () => void): () => void;
}

/** Milliseconds between two looks at the marks: a tab hears of its end within a second, whatever the store is. */
const lookEveryMs = 500;
/** Sessions, three marks each, in one question to the store: it answers others in between. */
const sessionsTogether = 100;

interface Watched {
  readonly times: SignInTimes;
  readonly keys: readonly string[];
  readonly onEnd: () => void;
}

/**
 * Asks the store for the marks on all watched sessions together, again and again while there are any. A store that does
 * not answer has told so: nobody is signed out for it, and the next look catches up.
 *
 * @param clock in epoch milliseconds
 */
export function createEndWatch(store: Store, clock: () => number): EndWatch {
  const watched = new Set<Watched>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function lookAt(some: readonly Watched[]): Promise<void> {
    const marks = await store.get(some.flatMap(({ keys }) => keys));
    const now = Math.floor(clock() / 1000);
    let place = 0;
    for (const each of some) {
      const own = marks.slice(place, (place += each.keys.length));
      if (!isEnded(own, each.times, now) || !watched.delete(each)) continue;
      each.onEnd();
    }
  }

  async function look(): Promise<void> {
    try {
      const all = [...watched];
      for (let start = 0; start < all.length; start += sessionsTogether) {
        // oxlint-disable-next-line no-await-in-loop -- one question after the other
        await lookAt(all.slice(start, start + sessionsTogether));
      }
    } catch {
      // The guard of the store has logged it.
    }
    timer = undefined;
    lookLater();
  }

  function lookLater(): void {
    if (watched.size > 0) timer ??= setTimeout(() => void look(), lookEveryMs);
  }

  return {
    watch(header, onEnd) {
      const each = { times: signInTimesOf(header), keys: markKeys(header), onEnd };
      watched.add(each);
      lookLater();
      return () => void watched.delete(each);
    },
  };
}
