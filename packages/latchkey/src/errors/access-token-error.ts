import { type AccessTokenErrorCode, LatchkeyError } from "./latchkey-error.ts";
import { nameErrors } from "./name-errors.ts";

export interface AccessTokenErrorOptions extends ErrorOptions {
  readonly retryAfterSeconds?: number;
}

/** An access token cannot be had; `code` says why, and `message` what the person will need to do. */
export class AccessTokenError extends LatchkeyError<AccessTokenErrorCode> {
  /**
   * Where the same request may succeed later, after how many seconds. The host answers such an error with 503 and
   * `Retry-After`.
   */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: AccessTokenErrorCode, message: string, options: AccessTokenErrorOptions = {}) {
    super(code, message, options);
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

nameErrors({ AccessTokenError });
