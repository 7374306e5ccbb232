import type { Runtime } from "../../config/runtime.ts";
import { Refusal } from "../../errors/refusal.ts";
import { type CircuitBreaker, isOutage } from "./circuit-breaker.ts";

/** What a load brings, and for how many milliseconds it counts as fresh. */
export interface Loaded<T> {
  readonly value: T;
  readonly freshForMs: number;
}

/** A document, and when it came and is stale; epoch milliseconds. */
interface LoadedDocument<T> {
  readonly value: T;
  readonly loadedAt: number;
  readonly staleAt: number;
}

export interface SingleFlightOptions<T> extends Pick<Runtime, "clock"> {
  readonly load: () => Promise<Loaded<T>>;
  /** Told how loads end, but for those that were given up. */
  readonly breaker: CircuitBreaker;
  /**
   * Milliseconds that a load takes at most; one that takes longer is given up. A runtime may stop a load with the request that
   * began it: then it never ends.
   */
  readonly loadTimeoutMs: number;
}

/** Loads a document and stores the newest; callers during a load share that load. */
export function createSingleFlight<T>(options: SingleFlightOptions<T>) {
  const { load, breaker, loadTimeoutMs, clock } = options;
  let last: LoadedDocument<T> | null = null;
  let current: { readonly since: number; readonly loading: Promise<T> } | null = null;

  function keep({ value, freshForMs }: Loaded<T>): void {
    last = { value, loadedAt: clock(), staleAt: clock() + freshForMs };
    breaker.succeeded();
  }

  function remember(error: unknown): void {
    // A first document that is wrong is asked for again by whoever needs it: somebody is mending it.
    const isFault = isOutage(error) || (last !== null && error instanceof Refusal);
    if (isFault) breaker.failed(error, breaker.recoveries);
    else breaker.succeeded();
  }

  function start(): Promise<T> {
    const isNotGivenUp = () => {
      if (current?.loading !== loading) return false;
      current = null;
      return true;
    };
    const loading = load().then(
      (loaded) => {
        if (isNotGivenUp()) keep(loaded);
        return loaded.value;
      },
      (error: unknown) => {
        if (isNotGivenUp()) remember(error);
        throw error;
      },
    );
    current = { since: clock(), loading };
    return loading;
  }

  return {
    start,
    /** The load under way; `null` where there is none, or none that can still end. */
    underWay(): Promise<T> | null {
      if (current === null) return null;
      const sinceMs = clock() - current.since;
      return sinceMs >= 0 && sinceMs <= loadTimeoutMs ? current.loading : null;
    },
    /** What was loaded last; `null` where nothing was. */
    last: () => last,
  };
}
