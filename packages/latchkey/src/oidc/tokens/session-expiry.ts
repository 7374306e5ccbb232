import { kindOf } from "../../crypto/json-object.ts";
import { Refusal } from "../../errors/refusal.ts";
import type { IDTokenClaims } from "./id-token.ts";

const kind = "id_token";

/**
 * The time at which the provider ends its session (`session_expiry`, IPSIE OpenID Connect profile),
 * in epoch seconds; empty without one.
 *
 * @throws {Refusal} `token_malformed` if it is no time in whole seconds
 */
export function sessionExpiryOf({ session_expiry: expiry }: IDTokenClaims): {
  readonly sessionExpiry?: number;
} {
  if (expiry === undefined) return {};
  if (isWholeSeconds(expiry)) return { sessionExpiry: expiry };
  const detail = `expected session_expiry in whole seconds, got ${kindOf(expiry)}`;
  throw new Refusal({ reason: "token_malformed", kind }, { detail });
}

/**
 * Checks that a new session is not over before it begins.
 *
 * @throws {Refusal} `token_malformed`, `token_expired`
 */
export function checkSessionExpiry(claims: IDTokenClaims, now: number): void {
  const { sessionExpiry = Number.POSITIVE_INFINITY } = sessionExpiryOf(claims);
  if (now < sessionExpiry) return;
  const detail = `session_expiry was ${now - sessionExpiry} s ago`;
  throw new Refusal({ reason: "token_expired", kind }, { detail });
}

/** Milliseconds are no time within the next thousands of years. */
function isWholeSeconds(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < 1e12;
}
