import {
  failureOf,
  type Observer,
  type OperationEnd,
  unobserved,
} from "../config/telemetry/telemetry.ts";
import type { Timing } from "../deadline.ts";
import type { Metadata } from "./metadata.ts";
import { type ProviderFetch, withoutQuery } from "./provider-fetch.ts";

/** Names of the provider's endpoints, for those who watch: addresses are too many. */
export interface EndpointNames {
  nameOf(address: string): string;
  learn(metadata: Metadata): void;
}

export function createEndpointNames(): EndpointNames {
  let names = new Map<string | undefined, string>();
  return {
    // What is called before anything is known are the metadata themselves.
    nameOf: (address) => names.get(withoutQuery(address)) ?? "metadata",
    learn(metadata) {
      names = new Map([
        [metadata.jwks_uri, "keys"],
        [metadata.token_endpoint, "token"],
        [metadata.userinfo_endpoint, "userinfo"],
        [metadata.revocation_endpoint, "revocation"],
        [metadata.pushed_authorization_request_endpoint, "par"],
      ]);
    },
  };
}

export interface ObservedOptions {
  readonly endpoints: EndpointNames;
  readonly observer?: Pick<Observer, "measure" | "run">;
  readonly timing: Pick<Timing, "monotonic">;
}

/** The same calls, each measured and run as an operation. */
export function observed(
  call: ProviderFetch,
  { endpoints, observer = unobserved, timing }: ObservedOptions,
): ProviderFetch {
  const { measure, run } = observer;
  return async (address, request) => {
    const endpoint = endpoints.nameOf(address);
    const start = timing.monotonic();
    const report = (end: CallEnd) =>
      measure({ of: "provider-request", endpoint, durationMs: timing.monotonic() - start, ...end });
    try {
      const named = { kind: "provider", name: endpoint } as const;
      const response = await run(named, () => call(address, request), { well, badly });
      report(well(response));
      return response;
    } catch (error) {
      report(badly(error));
      throw error;
    }
  };
}

interface CallEnd extends Pick<OperationEnd, "status" | "reason"> {}

const well = ({ status }: Response): CallEnd => ({ status });

/** No response came, so there is no status: that of the reason is our own. */
const badly = (error: unknown): CallEnd => ({ reason: failureOf(error).reason });
