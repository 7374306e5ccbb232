import { nameErrors } from "./name-errors.ts";
import type { RefusalCode } from "./reasons.ts";

/**
 * The reasons for a missing access token: six of the specification, section 8; a temporary one,
 * `ERR_REFRESH_UNDER_WAY`; `ERR_INVALID_TARGET` if the provider issues no token for the wanted
 * resource (RFC 8707); and those of token exchange: the provider has refused it, or requires the
 * user to do something first.
 */
export type AccessTokenErrorCode =
  | "ERR_MISSING_SESSION"
  | "ERR_MISSING_ACCESS_TOKEN"
  | "ERR_MISSING_REFRESH_TOKEN"
  | "ERR_EXPIRED_ACCESS_TOKEN"
  | "ERR_INSUFFICIENT_SCOPE"
  | "ERR_FAILED_REFRESH_GRANT"
  | "ERR_REFRESH_UNDER_WAY"
  | "ERR_INVALID_TARGET"
  | "ERR_TOKEN_EXCHANGE"
  | "ERR_INTERACTION_REQUIRED";

/** The handlers that may fail (specification, section 8). */
export type HandlerErrorCode =
  | "ERR_CALLBACK_HANDLER_FAILURE"
  | "ERR_LOGIN_HANDLER_FAILURE"
  | "ERR_LOGOUT_HANDLER_FAILURE"
  | "ERR_PROFILE_HANDLER_FAILURE";

/** Every `code` of an error of Latchkey. */
export type ErrorCode =
  | AccessTokenErrorCode
  | HandlerErrorCode
  | RefusalCode
  | "ERR_CONFIG"
  | "ERR_FORBIDDEN"
  | "ERR_HEADERS_SENT"
  | "ERR_READ_ONLY"
  | "ERR_SESSION_REQUIRED"
  | "ERR_SIGN_IN_REQUIRED"
  | "ERR_STEP_UP_REQUIRED"
  | "ERR_TOKEN_REFUSED";

/**
 * The base of every error of Latchkey.
 * `code` is stable and safe to branch on; the message says what to check and never holds a secret.
 */
export class LatchkeyError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

nameErrors({ LatchkeyError });
