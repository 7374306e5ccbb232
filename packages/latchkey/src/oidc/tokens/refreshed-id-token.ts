import { readCompactJWS } from "../../crypto/compact-jws.ts";
import { Refusal } from "../../errors/refusal.ts";
import type { IDTokenClaims } from "./id-token.ts";

const kind = "id_token";

/**
 * Checks that the ID token of a refresh continues the sign-in (OpenID Connect Core 12.2): the same
 * subject and, if the session keeps its ID token, no other nonce. Its `auth_time` is not compared:
 * many providers send the time of the refresh, and the session keeps its own.
 *
 * @param former - the user of the session, and its ID token
 * @throws {Refusal} `token_subject_changed`, `token_nonce_changed`
 */
export function checkRefreshedIDToken(
  claims: IDTokenClaims,
  former: { readonly sub: string; readonly idToken: string | undefined },
): void {
  if (claims.sub !== former.sub) throw new Refusal({ reason: "token_subject_changed", kind });
  // It was verified when it came, and has been sealed since.
  const before = readCompactJWS(former.idToken)?.payload;
  if (before === undefined) return;
  const { nonce, tid } = claims;
  if (tid !== undefined && before["tid"] !== undefined && tid !== before["tid"]) {
    throw new Refusal({ reason: "token_subject_changed", kind }, { detail: "another tenant" });
  }
  if (nonce !== undefined && nonce !== before["nonce"]) {
    throw new Refusal({ reason: "token_nonce_changed", kind });
  }
}
