import { Refusal } from "../errors/refusal.ts";
import { ErrorResponse } from "./error-answer.ts";

/** An error response of the token endpoint (RFC 6749, 5.2). */
export interface OAuthError {
  readonly error: string;
  /** What Entra ID wants to be sent as the parameter `claims` of the next sign-in. */
  readonly claims: string | undefined;
}

/** Returns the error response behind a failed token request; `null` if there was none. */
export function oauthErrorOf(refusal: unknown): OAuthError | null {
  if (!(refusal instanceof Refusal) || !(refusal.cause instanceof ErrorResponse)) return null;
  const { error, members } = refusal.cause;
  if (error === null) return null;
  const { claims } = members;
  const isUsable = typeof claims === "string" && claims.length <= claimsAtMost;
  return { error, claims: isUsable ? claims : undefined };
}

/** In characters; it becomes part of an address. */
const claimsAtMost = 2000;
