/**
 * The base of every error that Latchkey throws.
 *
 * `code` is stable and safe to branch on; the message tells what to check and never holds a secret.
 */
export class LatchkeyError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}
