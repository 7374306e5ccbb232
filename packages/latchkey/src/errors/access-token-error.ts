import { type AccessTokenErrorCode, LatchkeyError } from "./latchkey-error.ts";
import { nameErrors } from "./name-errors.ts";
import { inspect } from "./inspect.ts";

export interface AccessTokenErrorOptions extends ErrorOptions {
  readonly retryAfterSeconds?: number;
  readonly needsSignIn?: boolean;
  readonly claims?: string | undefined;
}

/** A new sign-in brings what is missing. A refused refresh depends on its cause. */
const endedCodes: ReadonlySet<AccessTokenErrorCode> = new Set<AccessTokenErrorCode>([
  "ERR_MISSING_SESSION",
  "ERR_MISSING_ACCESS_TOKEN",
  "ERR_EXPIRED_ACCESS_TOKEN",
]);

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
  /**
   * Whether a new sign-in brings a token. If no handler catches the error, the host leads a page to
   * login and back, and responds to a script with 401.
   */
  readonly needsSignIn: boolean;
  /**
   * With `ERR_INTERACTION_REQUIRED`, what the provider wants to be sent as the parameter `claims`
   * of the next sign-in; absent if it names nothing.
   */
  readonly claims: string | undefined;

  constructor(code: AccessTokenErrorCode, message: string, options: AccessTokenErrorOptions = {}) {
    super(code, message, options);
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.needsSignIn = options.needsSignIn ?? endedCodes.has(code);
    this.claims = options.claims;
    if (this.needsSignIn) printOnOneLine(this);
  }
}

/** Such an error ends a request and is no fault: a framework that prints it needs one line. */
function printOnOneLine(error: AccessTokenError): void {
  const value = () => `${error.name}: ${error.message} (${error.code})`;
  Object.defineProperty(error, inspect, { value });
}

nameErrors({ AccessTokenError });
