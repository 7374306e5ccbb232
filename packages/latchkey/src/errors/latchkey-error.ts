import type { ErrorCode } from "./error-code.ts";

const mark: unique symbol = Symbol.for("latchkey.error");

/**
 * The base of every error that Latchkey throws.
 *
 * `code` is stable and safe to branch on; the message tells what to check and never holds a secret.
 */
export class LatchkeyError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }

  /** Errors of another copy of this package are known by it, too. */
  get [mark](): true {
    return true;
  }
}

/** Whether an error is of Latchkey, also where the package is installed twice: `code` says which. */
export function isLatchkeyError(error: unknown): error is LatchkeyError {
  return error instanceof Error && mark in error;
}
