import { Refusal } from "../../errors/refusal.ts";
import { settledWithin } from "../../deadline.ts";
import { type CircuitBreaker, isOutage } from "./circuit-breaker.ts";
import { createSingleFlight } from "./single-flight.ts";

/**
 * A document that is kept, served on while it is renewed, and served on for a day while renewing
 * fails (RFC 5861).
 */
export interface StaleWhileRevalidateCache<T> {
  /**
   * The document. Nobody waits for a renewal: the old document is returned, or the failure that is
   * known. Only the very first callers wait, and share one load.
   */
  get(): Promise<T>;
  /** Loads again now, or joins the load under way; rejects where that fails, or lately did. */
  renew(): Promise<T>;
  /** How long ago it was loaded, in milliseconds; `null` where that has not happened. */
  ageMs(): number | null;
}

/** What a load brings, and for how many milliseconds it counts as fresh. */
export interface Loaded<T> {
  readonly value: T;
  readonly freshForMs: number;
}

export interface StaleWhileRevalidateCacheOptions<T> {
  readonly load: () => Promise<Loaded<T>>;
  readonly breaker: CircuitBreaker;
  /** Milliseconds that a load takes at most; one that takes longer is given up. */
  readonly loadTimeoutMs: number;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Takes a renewal over that nobody waits for. */
  readonly runInBackground: (work: Promise<unknown>) => void;
}

/** For so long beyond its freshness a document is served while renewing fails. */
const staleForMs = 86_400_000;

/** Whoever starts a renewal gives it a moment: a provider that is near has answered by then. */
const momentMs = 25;

interface Kept<T> {
  readonly value: T;
  readonly loadedAt: number;
  readonly staleAt: number;
}

export function staleWhileRevalidateCache<T>(
  options: StaleWhileRevalidateCacheOptions<T>,
): StaleWhileRevalidateCache<T> {
  const { load, breaker, loadTimeoutMs, clock, runInBackground } = options;
  let kept: Kept<T> | null = null;
  const flight = createSingleFlight({
    load,
    onLoaded({ value, freshForMs }) {
      const loadedAt = clock();
      kept = { value, loadedAt, staleAt: loadedAt + freshForMs };
      breaker.succeeded();
    },
    onFailed(error) {
      // A first document that is wrong is asked for again by whoever needs it: somebody is mending it.
      const isFault = isOutage(error) || (kept !== null && error instanceof Refusal);
      if (isFault) breaker.failed(error, breaker.recoveries);
      else breaker.succeeded();
    },
    timeoutMs: loadTimeoutMs,
    clock,
  });

  async function renew(): Promise<T> {
    const loading = flight.underWay();
    if (loading !== null && (await settledWithin(loadTimeoutMs, loading))) {
      return (await loading).value;
    }
    if (breaker.state === "open") throw breaker.refusal();
    return (await flight.start()).value;
  }

  /** What can be said without a load; `null` where nothing is known yet. */
  function known(): { readonly value: T } | Refusal | null {
    if (kept !== null && clock() < kept.staleAt + staleForMs) return kept;
    return breaker.refusal();
  }

  /** Nothing can be served, and the provider was quick to fail: so it is to tell that it is back. */
  const answersQuickly = () => kept === null && breaker.refusal()?.reason !== "provider_timeout";

  return {
    renew,
    ageMs: () => (kept === null ? null : clock() - kept.loadedAt),
    async get() {
      if (kept !== null && clock() < kept.staleAt) return kept.value;
      if (known() === null) return renew();
      if (flight.underWay() === null && breaker.state !== "open") {
        const loading = flight.start();
        runInBackground(loading);
        await settledWithin(answersQuickly() ? loadTimeoutMs : momentMs, loading);
      }
      const answer = known();
      // The load has just told that the provider works again, and that its document is wrong.
      if (answer === null) return renew();
      if (answer instanceof Refusal) throw answer;
      return answer.value;
    },
  };
}
