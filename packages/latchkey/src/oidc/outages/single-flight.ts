/** A load that everybody shares who comes while it is under way. */
export interface SingleFlight<T> {
  start(): Promise<T>;
  /** The load under way; `null` where there is none, or none that can still end. */
  underWay(): Promise<T> | null;
}

export interface SingleFlightOptions<T> {
  readonly load: () => Promise<T>;
  /** Milliseconds. A runtime may stop a load with the request that began it: then it never ends. */
  readonly timeoutMs: number;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

export function createSingleFlight<T>({
  load,
  timeoutMs,
  clock,
}: SingleFlightOptions<T>): SingleFlight<T> {
  let current: { readonly loading: Promise<T>; readonly since: number } | null = null;
  return {
    start() {
      const started = { loading: load(), since: clock() };
      const forget = () => {
        if (current === started) current = null;
      };
      current = started;
      started.loading.then(forget, forget);
      return started.loading;
    },
    underWay() {
      if (current === null) return null;
      const sinceMs = clock() - current.since;
      return sinceMs >= 0 && sinceMs <= timeoutMs ? current.loading : null;
    },
  };
}
