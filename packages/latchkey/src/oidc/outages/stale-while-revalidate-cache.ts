import { Refusal } from "../../errors/refusal.ts";
import { settledWithin } from "../../deadline.ts";
import { createSingleFlight, type SingleFlightOptions } from "./single-flight.ts";

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

export interface StaleWhileRevalidateCacheOptions<T> extends SingleFlightOptions<T> {
  /** Takes a renewal over that nobody waits for. */
  readonly runInBackground: (work: Promise<unknown>) => void;
}

/** For so long beyond its freshness a document is served while renewing fails. */
const staleForMs = 86_400_000;

/** Whoever starts a renewal gives it a moment: a provider that is near has answered by then. */
const momentMs = 25;

export function staleWhileRevalidateCache<T>(
  options: StaleWhileRevalidateCacheOptions<T>,
): StaleWhileRevalidateCache<T> {
  const { breaker, loadTimeoutMs, clock, runInBackground } = options;
  const flight = createSingleFlight(options);

  async function renew(): Promise<T> {
    const loading = flight.underWay();
    if (loading !== null && (await settledWithin(loadTimeoutMs, loading))) return loading;
    if (breaker.state === "open") throw breaker.refusal();
    return flight.start();
  }

  /** What can be said without a load; `null` where nothing is known yet. */
  function known(): { readonly value: T } | Refusal | null {
    const last = flight.last();
    return last !== null && clock() < last.staleAt + staleForMs ? last : breaker.refusal();
  }

  /** Nothing can be served, and the provider was quick to fail: so it is to tell that it is back. */
  const answersQuickly = () =>
    flight.last() === null && breaker.refusal()?.reason !== "provider_timeout";

  return {
    renew,
    ageMs() {
      const last = flight.last();
      return last === null ? null : clock() - last.loadedAt;
    },
    async get() {
      const last = flight.last();
      if (last !== null && clock() < last.staleAt) return last.value;
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
