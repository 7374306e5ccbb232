import { readCompactJWS } from "../../crypto/compact-jws.ts";
import { Refusal } from "../../errors/refusal.ts";
import type { IDTokenClaims } from "./id-token.ts";

/**
 * Checks that the ID token of a refresh continues the sign-in that was (OpenID Connect Core 12.2):
 * the same subject, and where the ID token before is at hand, the time of the same authentication
 * and no other nonce.
 *
 * @param former whose session it is, and the ID token that was kept of it
 * @throws {Refusal} `id_token_subject_changed`, `id_token_nonce_changed`,
 *   `id_token_auth_time_changed`
 */
export function checkRefreshedIDToken(
  claims: IDTokenClaims,
  former: { readonly sub: string; readonly idToken: string | undefined },
): void {
  if (claims.sub !== former.sub) throw new Refusal("id_token_subject_changed");
  // It was verified when it came, and has been sealed since.
  const before = readCompactJWS(former.idToken)?.payload;
  if (before === undefined) return;
  const { auth_time: authTime, nonce } = claims;
  if (nonce !== undefined && nonce !== before["nonce"]) {
    throw new Refusal("id_token_nonce_changed");
  }
  const isKnown = authTime !== undefined && before["auth_time"] !== undefined;
  if (isKnown && authTime !== before["auth_time"]) {
    throw new Refusal("id_token_auth_time_changed");
  }
}
