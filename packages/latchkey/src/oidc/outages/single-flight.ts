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
  /** Called at the end of a load, except for abandoned loads. */
  readonly breaker: CircuitBreaker;
  /**
   * The longest time of a load, in milliseconds; a longer load is abandoned. A runtime may stop a
   * load with the request that began it: it never ends then.
   */
  readonly loadTimeoutMs: number;
}

/** Loads a document and stores the newest one. Callers during a load share it. */
export function createSingleFlight<T>(options: SingleFlightOptions<T>) {
  const { load, breaker, loadTimeoutMs, clock } = options;
  let last: LoadedDocument<T> | null = null;
  let current: { readonly since: number; readonly loading: Promise<T> } | null = null;

  function keep({ value, freshForMs }: Loaded<T>): void {
    last = { value, loadedAt: clock(), staleAt: clock() + freshForMs };
    breaker.succeeded();
  }

  function remember(error: unknown): void {
    // The next caller loads a wrong first document again: its operator may be repairing it.
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
    /** The current load; `null` if there is none, or if it is abandoned. */
    underWay(): Promise<T> | null {
      if (current === null) return null;
      const sinceMs = clock() - current.since;
      return sinceMs >= 0 && sinceMs <= loadTimeoutMs ? current.loading : null;
    },
    /** The last loaded document; `null` before the first. */
    last: () => last,
  };
}
