import type { Timing } from "../../../time/deadline.ts";
import { Refusal } from "../../../errors/refusal.ts";
import { type CircuitBreaker, isOutage } from "./circuit-breaker.ts";
import { type ProviderFetch, withoutQuery } from "../provider-fetch.ts";

/** Concurrent calls to one endpoint. A slow provider must not take all connections. */
const callsAtOnce = 64;

/** The longest wait of a call for its turn, and the pause between two checks, in milliseconds. */
const longestWaitMs = 800;
const lookEveryMs = 100;

/** Guards the calls of one endpoint. */
interface Endpoint {
  readonly breaker: CircuitBreaker;
  callsUnderWay: number;
}

/**
 * Calls the endpoints of every sign-in, with at most 64 concurrent calls to one. It does not call
 * an endpoint during a known failure, and repeats nothing.
 *
 * @throws {Refusal} the error of `call`; the known failure; `provider_busy`
 */
export function createGuardedFetch(
  call: ProviderFetch,
  timing: Timing,
  createBreaker: () => CircuitBreaker,
): ProviderFetch {
  const endpoints = new Map<string, Endpoint>();

  function endpointAt(address: string): Endpoint {
    const key = withoutQuery(address);
    const known = endpoints.get(key) ?? { breaker: createBreaker(), callsUnderWay: 0 };
    endpoints.set(key, known);
    return known;
  }

  return async (address, request) => {
    const endpoint = endpointAt(address);
    const { breaker } = endpoint;
    if (breaker.state() === "open") throw breaker.refusal();
    await takeTurn(endpoint, address, timing);
    const recoveries = breaker.recoveries();
    try {
      const response = await call(address, request);
      breaker.succeeded();
      return response;
    } catch (error) {
      if (isOutage(error)) breaker.failed(error, recoveries);
      throw error;
    } finally {
      endpoint.callsUnderWay -= 1;
    }
  };
}

/**
 * Checks again and again, because in some runtimes a request may not wait for the promise of
 * another one. The call counts from the check that finds a free place, so two calls cannot take the
 * same place.
 */
async function takeTurn(endpoint: Endpoint, address: string, timing: Timing): Promise<void> {
  const until = timing.monotonic() + longestWaitMs;
  while (endpoint.callsUnderWay >= callsAtOnce) {
    const leftMs = until - timing.monotonic();
    if (leftMs <= 0) throw tooMany(address);
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    await timing.wait(Math.min(leftMs, lookEveryMs));
  }
  endpoint.callsUnderWay += 1;
}

function tooMany(address: string): Refusal {
  return new Refusal("provider_busy", {
    detail: `${withoutQuery(address)}: ${callsAtOnce} calls are under way`,
    retryAfterSeconds: 1,
  });
}
