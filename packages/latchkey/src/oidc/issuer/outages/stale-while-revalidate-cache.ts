import { Refusal } from "../../../errors/refusal.ts";
import { elapsedMs, settledWithin } from "../../../time/deadline.ts";
import { createSingleFlight, type SingleFlightOptions } from "./single-flight.ts";

/**
 * A cached document. It is served while it is renewed, and for one day while renewals fail (RFC
 * 5861).
 */
export interface StaleWhileRevalidateCache<T> {
  /**
   * Returns the document. No caller waits for a renewal: the old document is returned, or the known
   * failure is thrown. Only the very first callers wait, and share one load.
   */
  get(): Promise<T>;
  /** Loads again now, or joins the current load. Rejects if the load fails, or failed recently. */
  renew(): Promise<T>;
  /** Its age in milliseconds; `null` before the first load. */
  ageMs(): number | null;
}

export interface StaleWhileRevalidateCacheOptions<T> extends SingleFlightOptions<T> {
  /** Takes over a renewal without a waiting caller. */
  readonly runInBackground: (work: Promise<unknown>) => void;
}

/** For so long beyond its freshness a document is served while renewing fails. */
const staleForMs = 86_400_000;

/** The caller that starts a renewal waits this long: a near provider has answered by then. */
const momentMs = 25;

export function staleWhileRevalidateCache<T>(
  options: StaleWhileRevalidateCacheOptions<T>,
): StaleWhileRevalidateCache<T> {
  const { breaker, loadTimeoutMs, clock, runInBackground } = options;
  const flight = createSingleFlight(options);

  /** The last document, if it came within so many milliseconds beyond its freshness. */
  function lastWithin(staleMs: number): { readonly value: T } | null {
    const last = flight.last();
    const isKept = last !== null && elapsedMs(last.loadedAt, options) < last.freshForMs + staleMs;
    return isKept ? last : null;
  }

  async function renew(): Promise<T> {
    const loading = flight.underWay();
    if (loading !== null && (await settledWithin(loadTimeoutMs, loading))) return loading;
    if (breaker.state() === "open") throw breaker.refusal();
    return flight.start();
  }

  /** The result without a load; `null` if nothing is known yet. */
  function peek(): { readonly value: T } | Refusal | null {
    return lastWithin(staleForMs) ?? breaker.refusal();
  }

  /** Nothing can be served, and the provider failed quickly, so a recovery shows quickly too. */
  const answersQuickly = () =>
    flight.last() === null && breaker.refusal()?.reason !== "provider_timeout";

  return {
    renew,
    ageMs() {
      const last = flight.last();
      return last === null ? null : clock() - last.loadedAt.wall;
    },
    async get() {
      const fresh = lastWithin(0);
      if (fresh !== null) return fresh.value;
      if (peek() === null) return renew();
      if (flight.underWay() === null && breaker.state() !== "open") {
        const loading = flight.start();
        runInBackground(loading);
        await settledWithin(answersQuickly() ? loadTimeoutMs : momentMs, loading);
      }
      const answer = peek();
      // The load has reported a recovery, and then a wrong document.
      if (answer === null) return renew();
      if (answer instanceof Refusal) throw answer;
      return answer.value;
    },
  };
}
