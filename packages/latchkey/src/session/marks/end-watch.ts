import { readTexts } from "../../stores/read-texts.ts";
import type { Store } from "../../stores/store.ts";
import { isEnded, markKeys } from "./ended-list.ts";
import type { SessionHeader } from "../session.ts";

/** Reports ends of sessions elsewhere to open pages. */
export interface EndWatch {
  /**
   * Watches a session until it has ended or the returned function is called.
   *
   * @param onEnd - called once
   */
  watch(header: SessionHeader, onEnd: () => void): () => void;
}

/**
 * Milliseconds between two looks at the marks: a tab hears of its end within a second, whatever the
 * store is.
 */
const lookEveryMs = 500;
/** Sessions, three marks each, in one question to the store: it answers others in between. */
const sessionsTogether = 100;

interface Watched {
  readonly header: SessionHeader;
  readonly onEnd: () => void;
}

/**
 * Reads the marks on all watched sessions together, again and again while there are any. A store
 * that does not answer signs no user out, and the next look catches up.
 */
export function createEndWatch(store: Store): EndWatch {
  const watched = new Set<Watched>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function lookAt(some: readonly Watched[]): Promise<void> {
    const marks = await readTexts(
      store,
      some.flatMap(({ header }) => markKeys(header)),
    );
    for (const each of some) {
      if (isEnded(marks, each.header) && watched.delete(each)) each.onEnd();
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
      const each = { header, onEnd };
      watched.add(each);
      lookLater();
      return () => void watched.delete(each);
    },
  };
}
