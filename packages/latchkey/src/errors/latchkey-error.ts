import type { ErrorCode } from "./error-code.ts";
import { nameErrors } from "./name-errors.ts";

/**
 * The base of every error that Latchkey throws.
 *
 * `code` is stable and safe to branch on; the message tells what to check and never holds a secret.
 */
export class LatchkeyError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

nameErrors({ LatchkeyError });
