import { isArrived } from "./ticket.ts";

/** Texts of settled tickets, each for a while, and together no more than fit. */
export interface BoundedTexts {
  /** `null` where there is none, or where its time has passed. */
  get(key: string): string | null;
  set(key: string, text: string, ms: number): void;
  delete(key: string): void;
  isEmpty(): boolean;
}

interface Entry {
  readonly text: string;
  readonly until: number;
}

const sixteenMebibytes = 16 * 1024 * 1024;

/**
 * @param clock epoch milliseconds
 * @param charactersAtMost of keys and texts; beyond, results that have arrived are forgotten first, then the oldest
 */
export function createBoundedTexts(
  clock: () => number,
  charactersAtMost = sixteenMebibytes,
): BoundedTexts {
  /** Each in the order in which it was written. */
  const arrived = new Map<string, Entry>();
  const awaited = new Map<string, Entry>();
  let characters = 0;

  function remove(key: string): void {
    for (const entries of [arrived, awaited]) {
      const entry = entries.get(key);
      if (entry === undefined) continue;
      entries.delete(key);
      characters -= key.length + entry.text.length;
    }
  }

  function makeRoom(): void {
    for (const entries of [arrived, awaited]) {
      for (const [key, { until }] of entries) {
        if (characters <= charactersAtMost && until > clock()) break;
        remove(key);
      }
    }
  }

  return {
    get(key) {
      const entry = awaited.get(key) ?? arrived.get(key);
      return entry !== undefined && entry.until > clock() ? entry.text : null;
    },
    set(key, text, ms) {
      remove(key);
      (isArrived(text) ? arrived : awaited).set(key, { text, until: clock() + ms });
      characters += key.length + text.length;
      makeRoom();
    },
    delete: remove,
    isEmpty: () => characters === 0,
  };
}
