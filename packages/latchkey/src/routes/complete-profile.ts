import { type Context, nowSeconds } from "../context.ts";
import type { IDTokenClaims } from "../oidc/tokens/id-token.ts";
import { fetchUserinfo } from "../oidc/userinfo.ts";

/** Claims that the scopes `profile` and `email` stand for (OpenID Connect Core 5.4). */
const profileClaims: Readonly<Record<string, readonly string[]>> = {
  profile: ["name", "family_name", "given_name", "nickname", "preferred_username", "picture"],
  email: ["email"],
};

/**
 * The ID token's claims, completed by userinfo where that is due: many providers leave name and email out of the
 * ID token, as the standard allows (5.4).
 *
 * @throws {Refusal} what `fetchUserinfo` throws
 */
export async function completeProfile(
  { config, provider, clock }: Context,
  claims: IDTokenClaims,
  accessToken: string | undefined,
): Promise<IDTokenClaims> {
  if (accessToken === undefined || config.userinfo === "never") return claims;
  const { userinfo_endpoint: endpoint } = await provider.metadata();
  if (
    config.userinfo === "auto" &&
    (endpoint === undefined || !lacksProfile(config.scope, claims))
  ) {
    return claims;
  }
  const userinfo = await fetchUserinfo(config, provider, {
    accessToken,
    subject: claims.sub,
    now: nowSeconds({ clock }),
  });
  return { ...userinfo, ...claims };
}

/** Whether the token brings none of the claims that were asked for. */
function lacksProfile(scope: string, claims: IDTokenClaims): boolean {
  const asked = scope.split(" ").flatMap((name) => profileClaims[name] ?? []);
  return asked.length > 0 && !asked.some((name) => name in claims);
}
