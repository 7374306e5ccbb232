import { readCompactJWS } from "../../crypto/compact-jws.ts";
import type { JSONObject } from "../../crypto/json-object.ts";
import { type CheckList, runChecks } from "../checks/check.ts";
import type { IDTokenClaims } from "./id-token.ts";

interface RefreshFacts {
  readonly claims: IDTokenClaims;
  /** The user of the session. */
  readonly sub: string;
  /** The claims of its ID token, if it keeps one. */
  readonly before: JSONObject | undefined;
}

/**
 * Checks that the ID token of a refresh continues the sign-in. Its `auth_time` is not compared:
 * many providers send the time of the refresh, and the session keeps its own.
 *
 * @param former - the user of the session, and its ID token
 * @throws {Refusal} `token_subject_changed`, `token_nonce`
 */
export function checkRefreshedIDToken(
  claims: IDTokenClaims,
  former: { readonly sub: string; readonly idToken: string | undefined },
): void {
  // It was verified when it came, and has been sealed since.
  const before = readCompactJWS(former.idToken)?.payload;
  runChecks(refreshedIDTokenChecks, { claims, sub: former.sub, before });
}

/** The checks of the ID token of a refresh, beside those of every one. */
export const refreshedIDTokenChecks: CheckList<RefreshFacts> = {
  title: "ID token of a refresh",
  kind: "id_token",
  checks: [
    /** It is about the same user (OpenID Connect Core 12.2). */
    {
      name: "sub",
      reason: "token_subject_changed",
      holds: ({ claims, sub }) => claims.sub === sub,
      expected: ({ sub }) => sub,
      actual: ({ claims }) => claims.sub,
      refusal: () => ({ detail: undefined }),
    },
    /** It is of the same tenant, if both name one. */
    {
      name: "tid",
      reason: "token_subject_changed",
      applies: ({ claims, before }) => claims["tid"] !== undefined && before?.["tid"] !== undefined,
      holds: ({ claims, before }) => claims["tid"] === before?.["tid"],
      expected: ({ before }) => String(before?.["tid"]),
      actual: ({ claims }) => claims["tid"],
      refusal: () => ({ detail: "another tenant" }),
    },
    /** It has no other nonce, if the session keeps its ID token (12.2). */
    {
      name: "nonce",
      reason: "token_nonce",
      applies: ({ claims, before }) => claims["nonce"] !== undefined && before !== undefined,
      holds: ({ claims, before }) => claims["nonce"] === before?.["nonce"],
      expected: ({ before }) => String(before?.["nonce"]),
      actual: ({ claims }) => claims["nonce"],
      isSecret: true,
      refusal: () => ({ detail: "the refresh brought another nonce than the sign-in" }),
    },
  ],
};
