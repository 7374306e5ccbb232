import {
  allowInsecureRequests,
  type Client,
  customFetch,
  type CustomFetchOptions,
} from "oauth4webapi";

import type { PlainReason } from "../errors/reasons.ts";
import { oneLine } from "../errors/one-line.ts";
import { Refusal } from "../errors/refusal.ts";
import type { Connection } from "./connection.ts";
import { ErrorResponse } from "./error-answer.ts";
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

/** Makes a refusal of what a call throws; `context` names the call, without secrets. */
export function refusalOfCall(error: unknown, fallback: PlainReason, context: string): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof ErrorResponse) return ofErrorResponse(error, fallback, context);
  return new Refusal(fallback, { cause: error, detail: `${context}: ${messageOf(error)}` });
}

function ofErrorResponse(response: ErrorResponse, fallback: PlainReason, context: string): Refusal {
  const { error, status, members } = response;
  if (error === null) {
    const reason = reasonOfStatus(status) ?? fallback;
    return new Refusal(reason, { cause: response, detail: `${context}: status ${status}` });
  }
  const { error_description: description } = members;
  return new Refusal(reasonOfOAuthError(error, fallback), {
    cause: response,
    detail: `${context}: ${quote(error)}`,
    providerText: typeof description === "string" ? description : error,
  });
}

/** Without words, 401 can only be about the client (RFC 6749, 5.2). */
function reasonOfStatus(status: number): PlainReason | undefined {
  if (status === 401) return "client_rejected";
  return status >= 500 ? "provider_failed" : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? quote(error.message) : "failed";
}

/** Returns the provider's own words for the log, at most one line of them. */
export function quote(text: string): string {
  return oneLine(text, 300);
}
