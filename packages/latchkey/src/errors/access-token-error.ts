import type { AccessTokenErrorCode } from "./error-code.ts";
import { LatchkeyError } from "./latchkey-error.ts";

/** An access token cannot be had; `code` says why, and `message` what the person will need to do. */
export class AccessTokenError extends LatchkeyError<AccessTokenErrorCode> {}
