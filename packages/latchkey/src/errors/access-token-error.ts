import { type AccessTokenErrorCode, LatchkeyError } from "./latchkey-error.ts";
import { nameErrors } from "./name-errors.ts";

export interface AccessTokenErrorOptions extends ErrorOptions {
  readonly retryAfterSeconds?: number;
}

/**
 * An access token is not available; `code` has the reason, and `message` the next step for the
 * user.
 */
export class AccessTokenError extends LatchkeyError<AccessTokenErrorCode> {
  /**
   * Seconds until the same request may succeed; absent if it cannot. The host responds with 503 and
   * `Retry-After`.
   */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: AccessTokenErrorCode, message: string, options: AccessTokenErrorOptions = {}) {
    super(code, message, options);
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

nameErrors({ AccessTokenError });
