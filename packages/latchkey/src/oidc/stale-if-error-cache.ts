/** A value that is kept, loaded again when old, and served on while loading fails (RFC 5861, 4). */
export interface StaleIfErrorCache<T> {
  /** The value, at most `maxAgeMs` old unless loading fails. Concurrent callers share one load. */
  get(): Promise<T>;
  /** Loads again now, or joins the load under way; rejects where that fails. */
  renew(): Promise<T>;
}

export interface StaleIfErrorCacheOptions<T> {
  readonly load: () => Promise<T>;
  readonly maxAgeMs: number;
  /** After a failed renewal the old value is served for so long before the next try. */
  readonly retryAfterMs: number;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

export function staleIfErrorCache<T>({
  load,
  maxAgeMs,
  retryAfterMs,
  clock,
}: StaleIfErrorCacheOptions<T>): StaleIfErrorCache<T> {
  let kept: { readonly value: T; readonly dueAt: number } | null = null;
  let underWay: Promise<T> | null = null;

  async function loadAndKeep(): Promise<T> {
    try {
      const value = await load();
      kept = { value, dueAt: clock() + maxAgeMs };
      return value;
    } finally {
      underWay = null;
    }
  }

  function renew(): Promise<T> {
    underWay ??= loadAndKeep();
    return underWay;
  }

  return {
    renew,
    async get() {
      if (kept === null) return renew();
      if (clock() < kept.dueAt) return kept.value;
      const { value } = kept;
      try {
        return await renew();
      } catch {
        kept = { value, dueAt: clock() + retryAfterMs };
        return value;
      }
    },
  };
}
