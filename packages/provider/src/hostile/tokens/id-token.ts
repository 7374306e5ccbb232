import type { Members } from "../behavior.ts";
import type { Context } from "../context.ts";
import { situationOf } from "../context.ts";
import type { Grant } from "../grants.ts";
import { hashClaim } from "./hash-claim.ts";
import { issueToken } from "./issue-token.ts";

const lifetimeSeconds = 300;

/** What an ID token carries the hash of. */
export interface Binding {
  readonly code?: string;
  readonly accessToken?: string;
}

/** Issues an ID token for a grant, with the faults of the active behaviors. */
export function issueIDToken(
  context: Context,
  grant: Grant,
  at: "authorization" | "token" | "refresh",
  binding: Binding,
): string {
  const situation = situationOf(context, at, grant.request);
  const { alg, issuer, client, nowSeconds } = situation;
  const { nonce, response_type: responseType } = grant.request;
  const { sub, ...person } = context.person;
  const showsPerson = context.claimsIn === "id-token" || responseType === "id_token";
  const claims: Members = {
    iss: issuer,
    sub,
    aud: client.id,
    exp: nowSeconds + lifetimeSeconds,
    iat: nowSeconds,
    auth_time: grant.authTime,
    sid: grant.sid,
    nonce: at === "refresh" ? undefined : nonce,
    c_hash: hashClaim(binding.code, alg),
    at_hash: hashClaim(binding.accessToken, alg),
    ...(showsPerson ? person : {}),
  };
  const faults = context.behaviors.flatMap(({ idToken }) => idToken ?? []);
  const token = issueToken(claims, faults, situation);
  context.issuedIDTokens.push(token);
  return token;
}
