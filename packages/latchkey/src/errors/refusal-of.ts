import { Forbidden } from "./access-errors.ts";
import { AccessTokenError } from "./access-token-error.ts";
import { Refusal } from "./refusal.ts";

/** What an error means for the response: a reason of the catalogue, `internal` for an error that is not ours. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof Forbidden) return new Refusal("forbidden", { cause: error });
  if (isTemporary(error)) {
    const { retryAfterSeconds } = error;
    return new Refusal("refresh_unavailable", { cause: error, retryAfterSeconds });
  }
  return new Refusal("internal", { cause: error });
}

/** An access token that cannot be had now, and may be had a moment later. */
export function isTemporary(
  error: unknown,
): error is AccessTokenError & { readonly retryAfterSeconds: number } {
  return error instanceof AccessTokenError && error.retryAfterSeconds !== undefined;
}
