import { parseStrictJSON } from "../crypto/strict-json.ts";
import { oneLine } from "../errors/one-line.ts";
import type { Reason } from "../errors/reasons.ts";
import { Refusal } from "../errors/refusal.ts";

/** What each OAuth error of a provider means to us. */
const meanings: Readonly<Record<string, Reason>> = {
  invalid_grant: "code_rejected",
  invalid_client: "client_rejected",
  invalid_code: "client_rejected",
  unauthorized_client: "client_rejected",
  invalid_request: "client_rejected",
  invalid_scope: "client_rejected",
  invalid_request_object: "client_rejected",
  unsupported_response_type: "client_rejected",
  unsupported_grant_type: "client_rejected",
  server_error: "provider_trouble",
  temporarily_unavailable: "provider_trouble",
  access_denied: "provider_denied",
  login_required: "provider_interaction_required",
  interaction_required: "provider_interaction_required",
  consent_required: "provider_interaction_required",
  account_selection_required: "provider_interaction_required",
  unmet_authentication_requirements: "step_up_unmet",
};

/** The reason for an OAuth error code; `fallback` where it is none that we know. */
export function reasonOfOAuthError(error: string, fallback: Reason): Reason {
  return meanings[error] ?? fallback;
}

/**
 * Makes a refusal of an error response (RFC 6749, section 5.2).
 *
 * @param fallback - the reason where the response tells none
 * @param context - names the call, without secrets
 */
export async function refusalOf(
  response: Response,
  fallback: Reason,
  context: string,
): Promise<Refusal> {
  const { status } = response;
  const members = parseStrictJSON(await response.arrayBuffer());
  const { error, error_description: description = error } = members ?? {};
  if (status >= 500 || typeof error !== "string" || error === "") {
    return new Refusal(reasonOfStatus(status, fallback), {
      detail: `${context}: status ${status}`,
    });
  }
  return new Refusal(reasonOfOAuthError(error, fallback), {
    detail: `${context}: ${oneLine(error).slice(0, 300)}`,
    providerText: String(description),
  });
}

function reasonOfStatus(status: number, fallback: Reason): Reason {
  if (status >= 500) return "provider_failed";
  return status === 401 ? "client_rejected" : fallback;
}
