import type { KeySetVerifier } from "../oidc/tokens/verify-signature.ts";
import { createRecentMap } from "../recent-map.ts";

/**
 * Verifies the signature of each token once a minute, because clients send a token many times
 * (0108). Its claims are checked with every request.
 *
 * @param clock - epoch milliseconds
 */
export function rememberVerified(verify: KeySetVerifier, clock: () => number): KeySetVerifier {
  const verified = createRecentMap<true>({ clock, keepMs: 60_000, atMost: 2000 });
  return async (jws) => {
    if (verified.get(jws.token) !== undefined) return "verified";
    const verdict = await verify(jws);
    if (verdict === "verified") verified.set(jws.token, true);
    return verdict;
  };
}
