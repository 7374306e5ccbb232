/** A value from the provider that is kept, renewed when it is old, and served on while the provider fails. */
export interface StaleIfErrorCache<T> {
  /** The value, at most `maxAgeMs` old unless the provider fails. Concurrent callers share one load. */
  get(): Promise<T>;
  /** Loads again now, or joins the load under way; on failure the caller is told. */
  renew(): Promise<T>;
}

export interface StaleIfErrorCacheParts<T> {
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
}: StaleIfErrorCacheParts<T>): StaleIfErrorCache<T> {
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
