import { type Clocks, elapsedMs, type Moment, momentOf } from "../../../time/deadline.ts";
import { Refusal } from "../../../errors/refusal.ts";
import { type CircuitBreaker, isOutage } from "./circuit-breaker.ts";

/** What a load brings, and for how many milliseconds it counts as fresh. */
export interface Loaded<T> {
  readonly value: T;
  readonly freshForMs: number;
}

/** A document, and when it came. */
interface LoadedDocument<T> extends Loaded<T> {
  readonly loadedAt: Moment;
}

export interface SingleFlightOptions<T> extends Clocks {
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
  const { load, breaker, loadTimeoutMs } = options;
  let last: LoadedDocument<T> | null = null;
  let current: { readonly since: Moment; readonly loading: Promise<T> } | null = null;

  function keep(loaded: Loaded<T>): void {
    last = { ...loaded, loadedAt: momentOf(options) };
    breaker.succeeded();
  }

  function remember(error: unknown): void {
    // The next caller loads a wrong first document again: its operator may be repairing it.
    const isFault = isOutage(error) || (last !== null && error instanceof Refusal);
    if (isFault) breaker.failed(error, breaker.recoveries());
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
    current = { since: momentOf(options), loading };
    return loading;
  }

  return {
    start,
    /** The current load; `null` if there is none, or if it is abandoned. */
    underWay(): Promise<T> | null {
      if (current === null) return null;
      return elapsedMs(current.since, options) <= loadTimeoutMs ? current.loading : null;
    },
    /** The last loaded document; `null` before the first. */
    last: () => last,
  };
}
