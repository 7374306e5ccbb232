import { randomUUID } from "node:crypto";
import type { Members, Situation, TokenFault } from "../behavior.ts";
import type { Context } from "../context.ts";
import { situationOf } from "../context.ts";
import { issueToken } from "./issue-token.ts";

/** The API for which access tokens are. */
export const hostileAudience = "https://api.hostile.example";

const type: TokenFault = { header: (header) => ({ ...header, typ: "at+jwt" }) };

/**
 * A JWT access token by RFC 9068 with the active behaviors' faults of ID tokens, then the
 * overrides; `undefined` leaves a claim out.
 */
export function mintAccessToken(context: Context, overrides: Members): string {
  const situation = situationOf(context, "token", {});
  const claims = { ...accessTokenClaims(context, situation), ...overrides };
  const faults = context.behaviors.flatMap(({ idToken }) => idToken ?? []);
  return issueToken(claims, [type, ...faults], situation);
}

export function accessTokenClaims(context: Context, situation: Situation): Members {
  const { issuer, client, nowSeconds } = situation;
  return {
    iss: issuer,
    aud: hostileAudience,
    sub: context.person["sub"],
    client_id: client.id,
    scope: "read",
    jti: randomUUID(),
    iat: nowSeconds,
    exp: nowSeconds + 300,
  };
}
