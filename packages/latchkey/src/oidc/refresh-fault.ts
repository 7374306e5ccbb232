import { Refusal } from "../errors/refusal.ts";
import { ErrorResponse } from "./error-answer.ts";
import { networkCode } from "./issuer/provider-fetch.ts";

/**
 * Returns what a failed token request means for its refresh token:
 * - `refused`: the provider does not accept it (`invalid_grant`)
 * - `unsent`: it never reached the provider, or the provider did not look at it; it is unspent
 * - `unanswered`: the provider may have accepted it, and its answer is unknown
 * - `rejected`: the provider has refused this client or this request; it is unspent
 * - `unusable`: the provider took it, and what it gave for it must not be used
 */
export type RefreshFault = "refused" | "unsent" | "unanswered" | "rejected" | "unusable";

export function refreshFaultOf(error: unknown): RefreshFault {
  if (!(error instanceof Refusal)) return "unanswered";
  if (isUnsent(error)) return "unsent";
  switch (error.reason) {
    case "code_rejected":
      return "refused";
    case "client_rejected":
    case "target_refused":
    case "provider_denied":
    case "provider_interaction_required":
    case "provider_redirected":
      return "rejected";
    case "token_response_invalid":
    case "response_too_large":
      return isErrorResponse(error) ? "rejected" : "unusable";
    default:
      return "unanswered";
  }
}

/**
 * The provider, or a proxy before it, has issued nothing for the token: it says so in its own words
 * (RFC 6749, 5.2), or by its status.
 */
function isErrorResponse({ cause }: Refusal): boolean {
  return cause instanceof ErrorResponse && (cause.error !== null || cause.status >= 400);
}

/** Codes of Node and of undici for what fails before a request is written. */
const connectCodes: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

function isUnsent({ reason, cause }: Refusal): boolean {
  // A failure known from an earlier call: this call was not made.
  if (cause instanceof Refusal || reason === "provider_busy") return true;
  return reason === "provider_unreachable" && connectCodes.has(networkCode(cause));
}
