/** What was set lately, in the memory of this process. */
export interface RecentMap<T> {
  /** Returns `false`, without a change, if the key exists already. */
  add(key: string, value: T): boolean;
  /** Writes, whatever was there. */
  set(key: string, value: T): void;
  get(key: string): T | undefined;
}

export interface RecentMapOptions {
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** For how long a value is kept, in milliseconds. */
  readonly keepMs: number;
  /** The oldest entries beyond this number are forgotten, so no client can fill the memory. */
  readonly atMost: number;
}

export function createRecentMap<T>({ clock, keepMs, atMost }: RecentMapOptions): RecentMap<T> {
  const known = new Map<string, { readonly value: T; readonly since: number }>();

  function forgetOld(): void {
    const longAgo = clock() - keepMs;
    for (const [key, { since }] of known) {
      if (since > longAgo && known.size <= atMost) return;
      known.delete(key);
    }
  }

  function get(key: string): T | undefined {
    const found = known.get(key);
    return found !== undefined && found.since > clock() - keepMs ? found.value : undefined;
  }

  /** A renewed entry becomes the youngest; in a `Map` the key keeps its place. */
  function set(key: string, value: T): void {
    known.delete(key);
    known.set(key, { value, since: clock() });
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
