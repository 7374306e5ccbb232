import type { HandlerError as HandlerFailure, HandlerName } from "../../../errors/handler-error.ts";
import { type HandlerErrorCode, LatchkeyError } from "../../../errors/latchkey-error.ts";
import { nameErrors } from "../../../errors/name-errors.ts";
import type { Refusal } from "../../../errors/refusal.ts";

export { AccessTokenError } from "../../../errors/access-token-error.ts";
/** What all of these errors have in common. */
export { LatchkeyError as AuthError } from "../../../errors/latchkey-error.ts";

/** The codes of an `AccessTokenError`, by the names of nextjs-auth0 3.x. */
export const AccessTokenErrorCode = {
  MISSING_SESSION: "ERR_MISSING_SESSION",
  MISSING_ACCESS_TOKEN: "ERR_MISSING_ACCESS_TOKEN",
  MISSING_REFRESH_TOKEN: "ERR_MISSING_REFRESH_TOKEN",
  EXPIRED_ACCESS_TOKEN: "ERR_EXPIRED_ACCESS_TOKEN",
  INSUFFICIENT_SCOPE: "ERR_INSUFFICIENT_SCOPE",
  FAILED_REFRESH_GRANT: "ERR_FAILED_REFRESH_GRANT",
} as const;
export type AccessTokenErrorCode = (typeof AccessTokenErrorCode)[keyof typeof AccessTokenErrorCode];

/** A handler failed: `cause` tells why. Thrown by the handlers, and given to `onError`. */
export class HandlerError extends LatchkeyError<HandlerErrorCode> {
  declare readonly cause: Error;
  readonly status: number;

  constructor({ code, message, status }: HandlerFailure, cause: Error) {
    super(code, message, { cause });
    this.status = status;
  }
}

export class LoginHandlerError extends HandlerError {
  static readonly code = "ERR_LOGIN_HANDLER_FAILURE";
}

export class CallbackHandlerError extends HandlerError {
  static readonly code = "ERR_CALLBACK_HANDLER_FAILURE";
}

export class LogoutHandlerError extends HandlerError {
  static readonly code = "ERR_LOGOUT_HANDLER_FAILURE";
}

export class ProfileHandlerError extends HandlerError {
  static readonly code = "ERR_PROFILE_HANDLER_FAILURE";
}

/** Why a handler has failed; the message is ours. */
export class ApplicationError extends Error {
  readonly status: number;

  constructor(refusal: Refusal) {
    super(refusal.message, { cause: refusal });
    this.status = refusal.status;
  }
}

export class MissingStateCookieError extends ApplicationError {}
export class MalformedStateCookieError extends ApplicationError {}
export class MissingStateParamError extends ApplicationError {}

/** The provider has refused the sign-in. Its words are text: escape them where you make HTML. */
export class IdentityProviderError extends ApplicationError {
  /** As OAuth names it, `access_denied` for one. */
  readonly error: string;
  readonly errorDescription: string | undefined;

  constructor(refusal: Refusal) {
    super(refusal);
    const { detail = "", providerText } = refusal;
    this.error = detail.split(" ", 1)[0] ?? "";
    this.errorDescription = providerText === this.error ? undefined : providerText;
  }
}

nameErrors({
  HandlerError,
  LoginHandlerError,
  CallbackHandlerError,
  LogoutHandlerError,
  ProfileHandlerError,
  ApplicationError,
  MissingStateCookieError,
  MalformedStateCookieError,
  MissingStateParamError,
  IdentityProviderError,
});

const failures = {
  login: LoginHandlerError,
  callback: CallbackHandlerError,
  logout: LogoutHandlerError,
  me: ProfileHandlerError,
} as const satisfies Record<HandlerName, unknown>;

/** The error of ours by the names of nextjs-auth0. */
export function toHandlerError(failure: HandlerFailure): HandlerError {
  return new failures[failure.handler](failure, causeOf(failure.refusal));
}

function causeOf(refusal: Refusal): Error {
  const { reason, cause, providerText } = refusal;
  if (providerText !== undefined) return new IdentityProviderError(refusal);
  switch (reason) {
    case "state_cookie_missing":
    case "state_cookie_blocked":
    case "no_pending_login":
      return new MissingStateCookieError(refusal);
    case "state_cookie_malformed":
      return new MalformedStateCookieError(refusal);
    case "state_missing":
      return new MissingStateParamError(refusal);
    case "internal":
      return cause instanceof Error ? cause : new ApplicationError(refusal);
    default:
      return new ApplicationError(refusal);
  }
}
