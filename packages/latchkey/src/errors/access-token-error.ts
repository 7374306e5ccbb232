import { LatchkeyError } from "./latchkey-error.ts";

/** The six ways in which an access token cannot be had (specification, section 8). */
export type AccessTokenErrorCode =
  | "ERR_MISSING_SESSION"
  | "ERR_MISSING_ACCESS_TOKEN"
  | "ERR_MISSING_REFRESH_TOKEN"
  | "ERR_EXPIRED_ACCESS_TOKEN"
  | "ERR_INSUFFICIENT_SCOPE"
  | "ERR_FAILED_REFRESH_GRANT";

/** An access token cannot be had; `code` says why, and `message` what the person will need to do. */
export class AccessTokenError extends LatchkeyError {
  declare readonly code: AccessTokenErrorCode;
}
