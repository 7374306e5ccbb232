import {
  allowInsecureRequests,
  type Client,
  customFetch,
  type CustomFetchOptions,
  type ResponseBodyError,
} from "oauth4webapi";
import * as oauth from "oauth4webapi";

import type { PlainReason } from "../errors/reasons.ts";
import { oneLine } from "../errors/one-line.ts";
import { Refusal } from "../errors/refusal.ts";
import type { Connection } from "./connection.ts";
import type { EndpointName } from "./issuer/provider-fetch.ts";

/** How the OAuth library calls an endpoint of the provider: always through our own fetch. */
export function callOptions({ issuer }: Connection, endpoint: EndpointName) {
  return {
    [customFetch]: (url: string, init: CustomFetchOptions<string, BodyInit | null | undefined>) =>
      issuer.fetch(url, { ...init, endpoint, body: init.body ?? null }),
    // The configuration has accepted plain http for a provider on this machine only.
    [allowInsecureRequests]: issuer.name.startsWith("http:"),
  };
}

export function clientOf({ clientID }: Connection): Client {
  return { client_id: clientID };
}

/** The meaning of each OAuth error of a provider. A map, because an object inherits members. */
const meanings: ReadonlyMap<string, PlainReason> = new Map<string, PlainReason>([
  ["invalid_grant", "code_rejected"],
  ["invalid_client", "client_rejected"],
  ["invalid_code", "client_rejected"],
  ["unauthorized_client", "client_rejected"],
  ["invalid_request", "client_rejected"],
  ["invalid_scope", "client_rejected"],
  ["invalid_request_object", "client_rejected"],
  ["unsupported_response_type", "client_rejected"],
  ["unsupported_grant_type", "client_rejected"],
  ["invalid_target", "target_refused"],
  ["server_error", "provider_trouble"],
  ["temporarily_unavailable", "provider_trouble"],
  ["access_denied", "provider_denied"],
  ["login_required", "provider_interaction_required"],
  ["interaction_required", "provider_interaction_required"],
  ["consent_required", "provider_interaction_required"],
  ["account_selection_required", "provider_interaction_required"],
  ["unmet_authentication_requirements", "step_up_unmet"],
]);

/** Returns the reason for an OAuth error code; `fallback` for an unknown code. */
export function reasonOfOAuthError(error: string, fallback: PlainReason): PlainReason {
  return meanings.get(error) ?? fallback;
}

/** Makes a refusal of what the OAuth library throws; `context` names the call, without secrets. */
export function refusalOfCall(error: unknown, fallback: PlainReason, context: string): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof oauth.ResponseBodyError) return ofBodyError(error, fallback, context);
  if (error instanceof oauth.WWWAuthenticateChallengeError) {
    const reason: PlainReason = error.status === 401 ? "client_rejected" : fallback;
    return new Refusal(reason, { cause: error, detail: `${context}: status ${error.status}` });
  }
  if (error instanceof oauth.OperationProcessingError && isServerError(error.cause)) {
    const detail = `${context}: status ${error.cause.status}`;
    return new Refusal("provider_failed", { cause: error, detail });
  }
  return new Refusal(fallback, { cause: error, detail: `${context}: ${messageOf(error)}` });
}

function ofBodyError(error: ResponseBodyError, fallback: PlainReason, context: string): Refusal {
  const description: unknown = error.error_description;
  return new Refusal(reasonOfOAuthError(error.error, fallback), {
    cause: error,
    detail: `${context}: ${quote(error.error)}`,
    providerText: typeof description === "string" ? description : error.error,
  });
}

function isServerError(cause: unknown): cause is Response {
  return cause instanceof Response && cause.status >= 500;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? quote(error.message) : "failed";
}

/** Returns the provider's own words for the log, at most one line of them. */
export function quote(text: string): string {
  return oneLine(text, 300);
}
