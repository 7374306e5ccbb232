import type { Config } from "../config/config.ts";
import type { Claims } from "../session/session.ts";

/** The claims that become `user`: all that the provider says of the person, less those about the token itself. */
export function identityOf(
  { identityClaimFilter }: Pick<Config, "identityClaimFilter">,
  claims: { readonly sub: string; readonly [claim: string]: unknown },
): Claims {
  const kept = Object.entries(claims).filter(([name]) => !identityClaimFilter.includes(name));
  return { ...Object.fromEntries(kept), sub: claims.sub };
}
