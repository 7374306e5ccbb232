import { unobserved } from "../config/telemetry/telemetry.ts";
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

/** The same calls, each told as an operation. */
export function observed(
  call: ProviderFetch,
  { nameOf }: EndpointNames,
  run = unobserved,
): ProviderFetch {
  return (address, request) =>
    run({ kind: "provider", name: nameOf(address) }, () => call(address, request), {
      well: ({ status }) => ({ status }),
    });
}
