import { elapsedMs, type Clocks, momentOf, type Moment } from "./deadline.ts";

/** What was set lately, in the memory of this process. */
export interface RecentMap<T> {
  /** Returns `false`, without a change, if the key exists already. */
  add(key: string, value: T): boolean;
  /** Writes, whatever was there. */
  set(key: string, value: T): void;
  get(key: string): T | undefined;
}

export interface RecentMapOptions extends Clocks {
  /** For how long a value is kept, in milliseconds; less if the wall clock is set forward. */
  readonly keepMs: number;
  /** The oldest entries beyond this number are forgotten, so no client can fill the memory. */
  readonly atMost: number;
}

export function createRecentMap<T>({ keepMs, atMost, ...clocks }: RecentMapOptions): RecentMap<T> {
  const known = new Map<string, { readonly value: T; readonly since: Moment }>();

  function forgetOld(): void {
    for (const [key, { since }] of known) {
      if (elapsedMs(since, clocks) < keepMs && known.size <= atMost) return;
      known.delete(key);
    }
  }

  function get(key: string): T | undefined {
    const found = known.get(key);
    return found !== undefined && elapsedMs(found.since, clocks) < keepMs ? found.value : undefined;
  }

  /** A renewed entry becomes the youngest; in a `Map` the key keeps its place. */
  function set(key: string, value: T): void {
    known.delete(key);
    known.set(key, { value, since: momentOf(clocks) });
    forgetOld();
  }

  return {
    get,
    set,
    add(key, value) {
      if (get(key) !== undefined) return false;
      set(key, value);
      return true;
    },
  };
}
