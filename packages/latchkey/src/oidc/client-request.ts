import type { Config } from "../config/config.ts";
import type { Reason } from "../errors/reasons.ts";
import { Refusal } from "../errors/refusal.ts";
import {
  type AssertionParts,
  authenticateClient,
  clientAuthMethod,
} from "./client-authentication.ts";
import type { Metadata } from "./metadata.ts";
import { refusalOf } from "./oauth-error.ts";
import type { ProviderFetch } from "./provider-fetch.ts";

/** A form for one of the provider's endpoints, sent as this client. */
export interface ClientRequest {
  readonly endpoint:
    | "token_endpoint"
    | "pushed_authorization_request_endpoint"
    | "revocation_endpoint";
  readonly parameters: Readonly<Record<string, string>>;
  /** The status of success. */
  readonly expected: 200 | 201;
  /** The reason for an error of which the provider says nothing that we know. */
  readonly otherwise: Reason;
}

export interface ClientRequestDeps {
  readonly config: Config;
  readonly metadata: Metadata;
  readonly fetch: ProviderFetch;
  readonly assertion: AssertionParts;
}

/**
 * Sends a form and returns the response of success.
 *
 * @throws {Refusal} for every other one, or what the call itself throws
 */
export async function sendAsClient(
  { config, metadata, fetch, assertion }: ClientRequestDeps,
  { endpoint, parameters, expected, otherwise }: ClientRequest,
): Promise<Response> {
  const address = metadata[endpoint];
  if (address === undefined) {
    throw new Refusal("metadata_invalid", { detail: `the provider has no ${endpoint}` });
  }
  const credentials = await authenticateClient(config, metadata, assertion);
  const response = await fetch(address, {
    method: "POST",
    headers: { accept: "application/json", ...credentials.headers },
    body: new URLSearchParams({ ...parameters, ...credentials.parameters }),
  });
  if (response.status === expected) return response;
  throw await refusalOf(response, otherwise, contextOf(endpoint, config, metadata));
}

/** The most usual fault of a new client is the wrong method of authentication. */
function contextOf(endpoint: string, config: Config, metadata: Metadata): string {
  const { token_endpoint_auth_methods_supported: offered = "unknown" } = metadata;
  const listed = [offered].flat().join(", ");
  return `${endpoint} with ${clientAuthMethod(config, metadata)} (the provider lists: ${listed})`;
}
