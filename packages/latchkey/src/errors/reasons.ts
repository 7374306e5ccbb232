import type { ProblemKind } from "./problem-kind.ts";

interface ReasonEntry {
  /** The technical text; exactly the text of the specification, if it has one. */
  readonly text: string;
  readonly status: number;
  readonly kind: ProblemKind;
}

function request(text: string, kind: ProblemKind, status = 400): ReasonEntry {
  return { text, status, kind };
}

function token(text: string, kind: ProblemKind = "not-confirmed"): ReasonEntry {
  return { text, status: 400, kind };
}

/** A failure of the provider, or of ours. */
function failure(
  text: string,
  kind: ProblemKind = "provider-unreachable-finish",
  status = 500,
): ReasonEntry {
  return { text, status, kind };
}

/** A kind of token signed by the provider. */
export type TokenKind = "id_token" | "logout_token" | "userinfo_token";

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
  cross_site_logout: request("Another site asked to sign out.", "confirm-sign-out", 200),

  // The transaction
  state_cookie_missing: request(missingStateCookie, "restart-missing"),
  no_pending_login: request(missingStateCookie, "no-sign-in-in-progress"),
  state_cookie_blocked: request(missingStateCookie, "cookies-blocked"),
  state_cookie_malformed: request("Your state cookie is not valid JSON.", "restart-unreadable"),
  state_missing: request("Missing state parameter in Authorization Response.", "link-incomplete"),
  state_mismatch: request("The state parameter matches no pending login.", "state-mismatch"),

  // The authorization response
  response_iss_mismatch: request("iss mismatch in the authorization response.", "not-confirmed"),
  response_iss_missing: request("iss missing from the authorization response.", "not-confirmed"),
  response_code_missing: request("code missing from response.", "link-incomplete"),
  response_id_token_missing: request("id_token missing from response.", "link-incomplete"),
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

  // ID token (OpenID Connect Core 3.1.3.7)
  id_token_malformed: token("The ID token is not a well-formed JWT."),
  id_token_algorithm: token("Unexpected JWT alg received."),
  id_token_key_unknown: token("No key of the provider can verify the ID token."),
  id_token_signature: token("Failed to validate JWT signature."),
  id_token_issuer: token("Unexpected iss value in the ID token."),
  id_token_audience: token("aud mismatch in the ID token."),
  id_token_expired: token("The ID token has expired.", "clock-skew"),
  id_token_issued_at: token("Missing or unacceptable iat in the ID token.", "clock-skew"),
  id_token_subject: token("Missing or invalid sub in the ID token."),
  id_token_authorized_party: token("azp mismatch in the ID token."),
  id_token_not_yet_valid: token("The ID token is not active yet.", "clock-skew"),
  id_token_nonce: token("nonce mismatch in the ID token."),
  id_token_auth_time: token("The sign-in at the provider is too long ago."),
  id_token_code_hash: token("c_hash mismatch in the ID token."),
  id_token_access_token_hash: token("at_hash mismatch in the ID token."),
  id_token_state_hash: token("s_hash mismatch in the ID token."),
  sign_in_refused: request("The app refused the sign-in.", "sign-in-refused", 403),
  tenant_not_admitted: request(
    "Users of this tenant may not sign in here.",
    "sign-in-refused",
    403,
  ),
  organization_mismatch: request("The organization is not the expected one.", "organization"),

  // Two ID tokens of one sign-in (OpenID Connect Core 3.3.3.6 and 12.2)
  id_token_subject_changed: token("The two ID tokens name different subjects."),
  id_token_nonce_changed: token("The refreshed ID token has another nonce than the sign-in."),

  // Userinfo as a signed token (OpenID Connect Core 5.3.2)
  userinfo_token_malformed: token("The userinfo JWT is not a well-formed JWT."),
  userinfo_token_algorithm: token("Unexpected JWT alg received."),
  userinfo_token_key_unknown: token("No key of the provider can verify the userinfo JWT."),
  userinfo_token_signature: token("Failed to validate JWT signature."),
  userinfo_token_issuer: token("Unexpected iss value in the userinfo JWT."),
  userinfo_token_audience: token("aud mismatch in the userinfo JWT."),
  userinfo_token_expired: token("The userinfo JWT has expired.", "clock-skew"),
  userinfo_token_not_yet_valid: token("The userinfo JWT is not active yet.", "clock-skew"),

  // Logout token (Back-Channel Logout 1.0, 2.6)
  logout_token_malformed: token("The logout token is not a well-formed JWT."),
  logout_token_algorithm: token("Unexpected JWT alg received."),
  logout_token_key_unknown: token("No key of the provider can verify the logout token."),
  logout_token_signature: token("Failed to validate JWT signature."),
  logout_token_issuer: token("Unexpected iss value in the logout token."),
  logout_token_audience: token("aud mismatch in the logout token."),
  logout_token_expired: token("The logout token has expired.", "clock-skew"),
  logout_token_issued_at: token("Missing or unacceptable iat in the logout token.", "clock-skew"),
  logout_token_missing: token("Missing Logout Token"),
  logout_token_type: token("Unexpected typ of the logout token."),
  logout_token_id: token('"jti" claim is missing'),
  logout_token_subject: token('either "sid" or "sub" (or both) claims must be present'),
  logout_token_nonce: token('"nonce" claim is prohibited'),
  logout_token_events: token(
    'the "events" claim must hold the back-channel logout event, as an object',
  ),
  logout_token_replayed: token("This logout token has been used before."),

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
  token_type_unknown: request("The token type is not supported.", "callback-failed"),
  userinfo_invalid: request("The userinfo response cannot be used.", "callback-failed"),
  userinfo_subject: request("The userinfo response names another subject.", "not-confirmed"),

  // Ours
  session_too_large: request("The session is too large to be kept.", "session-too-large"),
  store_unavailable: failure("The session store does not answer.", "server-error", 503),
  internal: failure("Something went wrong on our side.", "server-error"),
} as const satisfies Record<string, ReasonEntry>;

/** Machine-readable reason of a refusal, e.g. `store_unavailable`. */
export type Reason = keyof typeof reasons;

/** The stable `code` of the error with a reason, e.g. `ERR_STORE_UNAVAILABLE`. */
export type RefusalCode<Of extends Reason = Reason> = `ERR_${Uppercase<Of>}`;

/** Returns the code of a reason. */
export function codeOf(reason: Reason): RefusalCode {
  // The cast is safe: TypeScript gives `toUpperCase` no literal type.
  return `ERR_${reason.toUpperCase() as Uppercase<Reason>}`;
}
