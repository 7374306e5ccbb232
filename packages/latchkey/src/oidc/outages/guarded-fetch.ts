import type { Timing } from "../../deadline.ts";
import { Refusal } from "../../errors/refusal.ts";
import { type CircuitBreaker, isOutage } from "./circuit-breaker.ts";
import { type ProviderFetch, withoutQuery } from "../provider-fetch.ts";

/** Calls to one endpoint at the same time; a provider that is slow must not tie up everything here. */
const callsAtOnce = 64;

/** Milliseconds that a call waits for its turn, and between two looks. */
const longestWaitMs = 800;
const lookEveryMs = 100;

/** Guards the calls of one endpoint. */
interface Endpoint {
  readonly breaker: CircuitBreaker;
  callsUnderWay: number;
}

/**
 * Calls the endpoints that every sign-in needs: those that are known to fail are not called, and no
 * more than 64 calls to one are under way. Nothing is tried twice.
 *
 * @throws {Refusal} what `call` throws; the known failure; `provider_busy`
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
    if (breaker.state === "open") throw breaker.refusal();
    await takeTurn(endpoint, address, timing);
    const { recoveries } = breaker;
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
 * Looks again and again: in some runtimes no request may wait for the promise of another. The call counts from the
 * look that finds room, so that others of the same moment do not find the same room.
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
