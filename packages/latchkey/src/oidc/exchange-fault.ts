import { ResponseBodyError } from "oauth4webapi";

import { Refusal } from "../errors/refusal.ts";

/** An error response of the token endpoint (RFC 6749, 5.2). */
export interface OAuthError {
  readonly error: string;
  /** What Entra ID wants to be sent as the parameter `claims` of the next sign-in. */
  readonly claims: string | undefined;
}

/** Returns the error response behind a failed token request; `null` if there was none. */
export function oauthErrorOf(error: unknown): OAuthError | null {
  if (!(error instanceof Refusal) || !(error.cause instanceof ResponseBodyError)) return null;
  const { cause } = error.cause;
  const claims: unknown = cause["claims"];
  return {
    error: error.cause.error,
    claims: typeof claims === "string" && claims.length <= claimsAtMost ? claims : undefined,
  };
}

/** In characters; it becomes part of an address. */
const claimsAtMost = 2000;
