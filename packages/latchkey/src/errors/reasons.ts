import type { ProblemKind } from "./problem-kind.ts";
import {
  type TokenFault,
  type TokenKind,
  type TokenReason,
  tokenReasons,
} from "./token-reasons.ts";

interface ReasonEntry {
  /** The technical text; exactly the text of the specification, if it has one. */
  readonly text: string;
  readonly status: number;
  readonly page: ProblemKind;
}

function request(text: string, page: ProblemKind, status = 400): ReasonEntry {
  return { text, status, page };
}

/** A failure of the provider, or of ours. */
function failure(
  text: string,
  page: ProblemKind = "provider-unreachable-finish",
  status = 500,
): ReasonEntry {
  return { text, status, page };
}

const missingStateCookie =
  "Missing state cookie from login request (check login URL, callback URL and cookie config).";

/**
 * Reason, technical text, status and page of each refusal.
 * 400 if the request or the sign-in is at fault; 500 if the provider or we failed (specification,
 * section 8).
 */
export const reasons = {
  // The request itself
  not_found: request("Not found.", "not-found", 404),
  method_not_allowed: request("Method not allowed.", "not-found", 405),
  body_too_large: request("The request body is too large.", "callback-failed", 413),
  content_type: request(
    "The request body must be application/x-www-form-urlencoded.",
    "callback-failed",
    415,
  ),
  host_unknown: request("The app has no site at this host.", "not-found", 421),
  target_malformed: request("The request target cannot be read.", "not-found"),
  body_malformed: request("The request body is not a form.", "callback-failed"),
  body_timeout: request("The request body did not arrive in time.", "callback-failed", 408),
  forbidden: request("The user may not do this.", "forbidden", 403),
  form_not_sent: request("The form was not sent: a new sign-in comes first.", "form-not-sent", 403),
  step_up_unmet: request("The sign-in does not prove what was asked for.", "forbidden", 403),
  parameter_repeated: request("A parameter appears more than once.", "link-incomplete"),
  parameter_invalid: request("A parameter cannot be used.", "link-incomplete"),
  foreign_issuer: request("Sign-in with this issuer is not offered here.", "setup-wrong"),
  sign_in_loop: request("Sign-in keeps starting over: the session cookie does not return.", "loop"),
  sign_in_repeated: request(
    "Sign-in keeps starting over: each one was followed by the next.",
    "setup-wrong",
  ),
  cookies_too_large: request("The cookies of this browser are too large.", "too-many-cookies"),
  cross_site_request: request("Another site sent a change.", "forbidden", 403),
  cross_site_logout: request("Another site asked to sign out.", "confirm-sign-out", 200),

  // The transaction
  state_cookie_missing: request(missingStateCookie, "restart-missing"),
  no_pending_login: request(missingStateCookie, "no-sign-in-in-progress"),
  state_cookie_blocked: request(missingStateCookie, "cookies-blocked"),
  state_cookie_malformed: request("Your state cookie is not valid JSON.", "restart-unreadable"),
  state_missing: request("Missing state parameter in Authorization Response.", "link-incomplete"),
  connection_mismatch: request(
    "The response belongs to a sign-in of another connection or host.",
    "state-mismatch",
  ),
  relay_refused: request("The relay sends this response to no app.", "state-mismatch"),
  state_mismatch: request("The state parameter matches no pending login.", "state-mismatch"),

  // The authorization response
  response_iss_mismatch: request("iss mismatch in the authorization response.", "not-confirmed"),
  response_iss_missing: request("iss missing from the authorization response.", "not-confirmed"),
  response_incomplete: request("code or id_token missing from response.", "link-incomplete"),
  response_ambiguous: request("The response carries both a code and an error.", "not-confirmed"),
  sign_in_cancelled: request("The person cancelled the sign-in.", "cancelled"),
  provider_denied: request("The provider refused the sign-in.", "provider-refused"),
  provider_interaction_required: request(
    "The provider needs the person to interact.",
    "restart-missing",
  ),
  provider_trouble: request("The provider reported a problem on its side.", "provider-trouble"),
  client_rejected: request("The provider refused this client.", "setup-wrong"),
  target_refused: request("The provider issues no token for this resource.", "setup-wrong"),
  code_rejected: request("The authorization code was already used or has expired.", "code-used"),

  // Tokens of the provider
  ...tokenReasons,

  // The user of the sign-in
  sign_in_refused: request("The app refused the sign-in.", "sign-in-refused", 403),
  tenant_not_admitted: request(
    "Users of this tenant may not sign in here.",
    "sign-in-refused",
    403,
  ),
  email_domain_mismatch: request(
    "The email address is of no domain of the connection, or not confirmed.",
    "email-domain",
    403,
  ),
  organization_mismatch: request("The organization is not the expected one.", "organization"),

  // Access tokens of callers (RFC 6750, 3.1)
  access_token_refused: request("The access token is not accepted.", "not-confirmed", 401),
  access_token_unchecked: failure("The access token cannot be checked now.", "provider-busy", 503),

  // Front-channel logout (1.0, 3)
  frontchannel_ignored: request(
    "The request names no session of this provider.",
    "not-confirmed",
    200,
  ),

  // Responses of the provider's endpoints
  provider_unreachable: failure("The provider cannot be reached."),
  provider_timeout: failure("The provider did not respond in time."),
  provider_busy: failure("The provider is busy.", "provider-busy", 503),
  refresh_unavailable: failure(
    "The access token has expired and cannot be refreshed now.",
    "provider-busy",
    503,
  ),
  provider_redirected: failure("The provider responded with a redirect."),
  provider_failed: failure("The provider responded with a server error."),
  response_too_large: failure("The provider's response is too large."),
  metadata_invalid: failure("The provider's metadata cannot be used.", "setup-wrong"),
  issuer_mismatch: failure(
    "The provider's metadata names another issuer than configured.",
    "setup-wrong",
  ),
  pushed_request_rejected: failure(
    "The provider refused the pushed authorization request.",
    "setup-wrong",
  ),
  keys_invalid: failure("The provider's keys cannot be used."),
  token_response_invalid: request("The token response cannot be used.", "callback-failed"),
  userinfo_invalid: request("The userinfo response cannot be used.", "callback-failed"),
  userinfo_subject: request("The userinfo response names another subject.", "not-confirmed"),

  // Ours
  connection_unavailable: failure(
    "No settings are available for this sign-in now.",
    "server-error",
    503,
  ),
  connection_invalid: failure("The settings of this sign-in cannot be used.", "setup-wrong"),
  session_too_large: request("The session is too large to be kept.", "session-too-large"),
  device_proof_missing: failure(
    "The session is bound to a device, and the request does not prove it.",
    "server-error",
    503,
  ),
  store_unavailable: failure("The session store does not answer.", "server-error", 503),
  internal: failure("Something went wrong on our side.", "server-error"),
} as const;

/** Machine-readable reason of a refusal, e.g. `store_unavailable`. */
export type Reason = keyof typeof reasons;

/** A reason that is not about a token of the provider. */
export type PlainReason = Exclude<Reason, TokenReason>;

/** What is wrong: a reason, for a token of the provider together with the kind of token. */
export type Fault = PlainReason | TokenFault;

export function isTokenReason(reason: Reason): reason is TokenReason {
  return reason in tokenReasons;
}

/** Returns the text of a reason; of a token reason without a kind, the texts of all kinds. */
export function textOf(reason: Reason, kind?: TokenKind): string {
  if (!isTokenReason(reason)) return reasons[reason].text;
  const texts: Partial<Readonly<Record<TokenKind, string>>> = tokenReasons[reason].texts;
  return (kind && texts[kind]) ?? [...new Set(Object.values(texts))].join(" ");
}

/** The stable `code` of the error with a reason, e.g. `ERR_STORE_UNAVAILABLE`. */
export type RefusalCode<Of extends Reason = Reason> = `ERR_${Uppercase<Of>}`;

/** Returns the code of a reason. */
export function codeOf(reason: Reason): RefusalCode {
  // The cast is safe: TypeScript gives `toUpperCase` no literal type.
  return `ERR_${reason.toUpperCase() as Uppercase<Reason>}`;
}
