import { kindOf } from "../../crypto/json-object.ts";
import { type Check, runChecks } from "../checks/check.ts";
import type { IDTokenClaims } from "./id-token.ts";
import { describeMoment, type Time } from "./token-claims.ts";

/** `session_expiry` is a time in whole seconds (IPSIE OpenID Connect profile). */
const sessionExpiryForm: Check<{ readonly claims: IDTokenClaims }> = {
  name: "session_expiry",
  reason: "token_malformed",
  applies: ({ claims }) => claims["session_expiry"] !== undefined,
  holds: ({ claims }) => isWholeSeconds(claims["session_expiry"]),
  expected: () => "whole seconds",
  actual: ({ claims }) => claims["session_expiry"],
  refusal: ({ claims }) => ({
    detail: `expected session_expiry in whole seconds, got ${kindOf(claims["session_expiry"])}`,
  }),
};

/** A session is not over at the provider before it begins. */
const sessionExpiryAhead: Check<{
  readonly claims: IDTokenClaims;
  readonly time: Pick<Time, "now">;
}> = {
  name: "session_expiry",
  reason: "token_expired",
  applies: ({ claims }) => claims["session_expiry"] !== undefined,
  holds: ({ claims, time }) => time.now < Number(claims["session_expiry"]),
  expected: ({ time }) => `after ${String(describeMoment(time.now))}`,
  actual: ({ claims }) => describeMoment(claims["session_expiry"]),
  refusal: ({ claims, time }) => ({
    detail: `session_expiry was ${time.now - Number(claims["session_expiry"])} s ago`,
  }),
};

/** The checks of a new session. */
export const sessionExpiryChecks = [sessionExpiryForm, sessionExpiryAhead] as const;

/**
 * The time at which the provider ends its session, in epoch seconds; empty without one.
 *
 * @throws {Refusal} `token_malformed` if it is no time in whole seconds
 */
export function sessionExpiryOf(claims: IDTokenClaims): { readonly sessionExpiry?: number } {
  runChecks({ title: "ID token", kind: "id_token", checks: [sessionExpiryForm] }, { claims });
  const { session_expiry: expiry } = claims;
  return expiry === undefined ? {} : { sessionExpiry: Number(expiry) };
}

/** Milliseconds are no time within the next thousands of years. */
function isWholeSeconds(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < 1e12;
}
