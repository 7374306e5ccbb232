import { type HandlerError as EngineError, LatchkeyError, type Refusal } from "latchkey";

/** `AuthError` is the base of all these errors. */
export { AccessTokenError, LatchkeyError as AuthError } from "latchkey";

export { AccessTokenErrorCode } from "./access-token-error-code.ts";

/** A handler failed; `cause` says why. The handlers throw it, and `onError` receives it. */
export class HandlerError extends LatchkeyError<EngineError["code"]> {
  override name = "HandlerError";
  declare readonly cause: Error;
  readonly status: number;

  constructor({ code, message, status }: EngineError, cause: Error) {
    super(code, message, { cause });
    this.status = status;
  }
}

export class LoginHandlerError extends HandlerError {
  static readonly code = "ERR_LOGIN_HANDLER_FAILURE";
  override name = "LoginHandlerError";
}

export class CallbackHandlerError extends HandlerError {
  static readonly code = "ERR_CALLBACK_HANDLER_FAILURE";
  override name = "CallbackHandlerError";
}

export class LogoutHandlerError extends HandlerError {
  static readonly code = "ERR_LOGOUT_HANDLER_FAILURE";
  override name = "LogoutHandlerError";
}

export class ProfileHandlerError extends HandlerError {
  static readonly code = "ERR_PROFILE_HANDLER_FAILURE";
  override name = "ProfileHandlerError";
}

/** The cause of a `HandlerError`; the message is ours. */
export class ApplicationError extends Error {
  override name = "ApplicationError";
  readonly status: number;

  constructor(refusal: Refusal) {
    super(refusal.message, { cause: refusal });
    this.status = refusal.status;
  }
}

export class MissingStateCookieError extends ApplicationError {
  override name = "MissingStateCookieError";
}

export class MalformedStateCookieError extends ApplicationError {
  override name = "MalformedStateCookieError";
}

export class MissingStateParamError extends ApplicationError {
  override name = "MissingStateParamError";
}

/** The provider refused the sign-in. Its texts are plain text: escape them in HTML. */
export class IdentityProviderError extends ApplicationError {
  override name = "IdentityProviderError";
  /** The OAuth error code, for example `access_denied`. */
  readonly error: string;
  readonly errorDescription: string | undefined;

  constructor(refusal: Refusal) {
    super(refusal);
    const { detail = "", providerText } = refusal;
    this.error = detail.split(" ", 1)[0] ?? "";
    this.errorDescription = providerText === this.error ? undefined : providerText;
  }
}

const handlerErrors = {
  login: LoginHandlerError,
  callback: CallbackHandlerError,
  logout: LogoutHandlerError,
  me: ProfileHandlerError,
} as const satisfies Record<EngineError["handler"], unknown>;

/** Converts an error of the engine to its class in nextjs-auth0. */
export function toHandlerError(error: EngineError): HandlerError {
  return new handlerErrors[error.handler](error, causeOf(error.refusal));
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
