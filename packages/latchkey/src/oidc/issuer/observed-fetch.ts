import {
  failureOf,
  type Observer,
  type OperationEnd,
  unobserved,
} from "../../telemetry/telemetry.ts";
import type { Place } from "../../telemetry/place.ts";
import type { Timing } from "../../time/deadline.ts";
import type { ProviderFetch, ProviderResponse } from "./provider-fetch.ts";

export interface ObservedOptions {
  readonly observer?: Pick<Observer, "measure" | "run">;
  readonly timing: Pick<Timing, "monotonic">;
}

/**
 * The same calls, each measured and run as an operation.
 *
 * @param placeOf - the connection as measurements name it
 */
export function observeCalls(
  call: ProviderFetch,
  { observer = unobserved, timing }: ObservedOptions,
  placeOf: () => Place = () => ({}),
): ProviderFetch {
  const { measure, run } = observer;
  return async (address, request) => {
    const { endpoint } = request;
    const { connection } = placeOf();
    const named = connection === undefined ? {} : { connection };
    const start = timing.monotonic();
    const report = (end: CallEnd) =>
      measure({
        ...named,
        of: "provider-request",
        endpoint,
        durationMs: timing.monotonic() - start,
        ...end,
      });
    try {
      const operation = { kind: "provider", name: endpoint, ...named } as const;
      const response = await run(operation, () => call(address, request), { well, badly });
      report(well(response));
      return response;
    } catch (error) {
      report(badly(error));
      throw error;
    }
  };
}

interface CallEnd extends Pick<OperationEnd, "status" | "reason"> {}

const well = ({ status }: ProviderResponse): CallEnd => ({ status });

/** Without a response there is no status: the status of the reason is our own. */
const badly = (error: unknown): CallEnd => ({ reason: failureOf(error).reason });
