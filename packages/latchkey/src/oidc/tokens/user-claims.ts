import type { Connection } from "../connection.ts";

/** Returns the claims that become `user`: all except those about the token itself. */
export function userClaims(
  { identityClaimFilter }: Pick<Connection, "identityClaimFilter">,
  claims: { readonly sub: string; readonly [claim: string]: unknown },
): { readonly sub: string; readonly [claim: string]: unknown } {
  const kept = Object.entries(claims).filter(([name]) => !identityClaimFilter.includes(name));
  return { ...Object.fromEntries(kept), sub: claims.sub };
}
