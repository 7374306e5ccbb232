/** A load that everybody shares who comes while it is under way. */
export interface SingleFlight<T> {
  start(): Promise<T>;
  /** The load under way; `null` where there is none, or none that can still end. */
  underWay(): Promise<T> | null;
}

export interface SingleFlightOptions<T> {
  readonly load: () => Promise<T>;
  /** Told how a load ended, before those who share it; not told of one that was given up. */
  readonly onLoaded: (value: T) => void;
  readonly onFailed: (error: unknown) => void;
  /** Milliseconds. A runtime may stop a load with the request that began it: then it never ends. */
  readonly timeoutMs: number;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

export function createSingleFlight<T>(options: SingleFlightOptions<T>): SingleFlight<T> {
  const { load, onLoaded, onFailed, timeoutMs, clock } = options;
  let current: { readonly since: number; readonly loading: Promise<T> } | null = null;

  function start(): Promise<T> {
    const isNotGivenUp = () => {
      if (current?.loading !== loading) return false;
      current = null;
      return true;
    };
    const loading = load().then(
      (value) => {
        if (isNotGivenUp()) onLoaded(value);
        return value;
      },
      (error: unknown) => {
        if (isNotGivenUp()) onFailed(error);
        throw error;
      },
    );
    current = { since: clock(), loading };
    return loading;
  }

  return {
    start,
    underWay() {
      if (current === null) return null;
      const sinceMs = clock() - current.since;
      return sinceMs >= 0 && sinceMs <= timeoutMs ? current.loading : null;
    },
  };
}
