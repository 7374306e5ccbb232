import type { PlainReason } from "../errors/reasons.ts";
import { oneLine } from "../errors/one-line.ts";
import { Refusal } from "../errors/refusal.ts";
import { authenticateClient } from "./client-authentication.ts";
import type { Connection } from "./connection.ts";
import { ErrorResponse } from "./error-answer.ts";
import type { EndpointName, ProviderResponse } from "./issuer/provider-fetch.ts";
import { parameterPairs, type RequestParameters } from "./request-parameters.ts";

/** A form for an endpoint of the provider, without the proof of the client. */
export interface ClientForm {
  readonly endpoint: EndpointName;
  /** `undefined` if the provider has no such endpoint. */
  readonly address: string | undefined;
  readonly members: RequestParameters;
  /** The media type of the response; `null` if it has none. Default: JSON. */
  readonly accept?: string | null;
}

/**
 * Posts a form as this client (RFC 6749, section 2.3).
 *
 * @throws {Refusal} if the client cannot prove itself, or the call fails
 * @throws {TypeError} without an address
 */
export async function postAsClient(
  connection: Connection,
  { endpoint, address, members, accept = "application/json" }: ClientForm,
): Promise<ProviderResponse> {
  const { issuer } = connection;
  if (address === undefined) throw new TypeError("the provider has no such endpoint");
  const proof = await authenticateClient(connection, await issuer.metadata());
  const body = new URLSearchParams(parameterPairs({ ...members, ...proof.members }));
  const headers = {
    ...(accept === null ? {} : { accept }),
    "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
    ...proof.headers,
  };
  return issuer.fetch(address, { endpoint, method: "POST", headers, body });
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
