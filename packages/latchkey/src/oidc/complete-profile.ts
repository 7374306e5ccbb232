import type { Connection } from "./connection.ts";
import type { IDTokenClaims } from "./tokens/id-token.ts";
import { fetchUserinfo } from "./userinfo.ts";

/** Claims of the scopes `profile` and `email` (OpenID Connect Core 5.4). */
const profileClaims: Readonly<Record<string, readonly string[]>> = {
  profile: ["name", "family_name", "given_name", "nickname", "preferred_username", "picture"],
  email: ["email"],
};

interface Known {
  /** Of the ID token. */
  readonly claims: IDTokenClaims;
  readonly accessToken: string | undefined;
  /** Epoch seconds. */
  readonly now: number;
}

/**
 * Adds the claims of userinfo to those of the ID token: many providers leave name and email out of
 * it, as the standard allows (OpenID Connect Core 5.4).
 *
 * @throws {Refusal} the errors of {@link fetchUserinfo}
 */
export async function completeProfile(
  connection: Connection,
  { claims, accessToken, now }: Known,
): Promise<IDTokenClaims> {
  const { userinfo: wanted, scope, issuer } = connection;
  if (accessToken === undefined || wanted === "never") return claims;
  const { userinfo_endpoint: endpoint } = await issuer.metadata();
  if (wanted === "auto" && (endpoint === undefined || !lacksProfile(scope, claims))) return claims;
  const userinfo = await fetchUserinfo(connection, { accessToken, subject: claims.sub, now });
  return { ...userinfo, ...claims };
}

/** Whether the token has none of the requested claims. */
function lacksProfile(scope: string, claims: IDTokenClaims): boolean {
  const requested = scope.split(" ").flatMap((name) => profileClaims[name] ?? []);
  return requested.length > 0 && !requested.some((name) => name in claims);
}
