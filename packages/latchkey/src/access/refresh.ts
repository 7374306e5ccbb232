import { type Context, nowSeconds, type Refresh } from "../context.ts";
import { verifyIDToken } from "../oidc/tokens/id-token.ts";
import { checkOrganization } from "../oidc/tokens/organization.ts";
import { checkRefreshedIDToken } from "../oidc/tokens/refreshed-id-token.ts";
import type { RefreshedTokens } from "../oidc/tokens/refreshed-tokens.ts";
import { refreshTokens } from "../oidc/token-request.ts";
import type { SessionData, StoredSession } from "../session/session.ts";
import { identityOf } from "./identity.ts";

/** How long the result of a refresh serves requests that come late, with the cookie from before. */
export const refreshKeptMs = 300_000;

/**
 * Spends a session's refresh token, once: requests that come while it is under way, or later with the
 * tokens from before, share the result. Providers that rotate refresh tokens take a second use for
 * theft and end everything (RFC 9700, section 4.14.2).
 */
export function refreshOnce(
  context: Context,
  data: SessionData,
  refreshToken: string,
): Promise<RefreshedTokens> {
  const { refreshes } = context;
  const key = keyOf(data);
  const known = refreshes.get(key);
  if (known !== undefined) return known.tokens;
  const refresh: Refresh = { tokens: spend(context, data, refreshToken), settled: null };
  refresh.tokens.then(
    (tokens) => (refresh.settled = tokens),
    () => refreshes.delete(key),
  );
  refreshes.add(key, refresh);
  return refresh.tokens;
}

/** Whoever has the new access token already, and wants another, does not get the same one again. */
function keyOf({ refreshToken = "", accessToken = "" }: SessionData): string {
  return `${refreshToken} ${accessToken}`;
}

async function spend(
  context: Context,
  data: SessionData,
  refreshToken: string,
): Promise<RefreshedTokens> {
  const { config, provider } = context;
  const tokens = await refreshTokens(config, provider, refreshToken);
  const receivedAt = nowSeconds(context);
  if (tokens.idToken === undefined) return { ...tokens, claims: null, receivedAt };
  const expected = { nonce: null, accessToken: tokens.accessToken, now: receivedAt };
  const claims = await verifyIDToken(tokens.idToken, { config, provider, expected });
  checkRefreshedIDToken(claims, { sub: data.user.sub, idToken: data.idToken });
  checkOrganization({ ...data.user, ...claims }, config.organization);
  return { ...tokens, claims, receivedAt };
}

/** The session's data with the tokens of a refresh; unchanged where they do not replace its own. */
export function withTokens(
  { config }: Context,
  data: SessionData,
  replaced: SessionData,
  tokens: RefreshedTokens,
): SessionData {
  if (keyOf(data) !== keyOf(replaced)) return data;
  const { accessTokenExpiresAt: _old, ...rest } = data;
  const { claims, expiresIn, refreshToken, idToken, scope = data.accessTokenScope } = tokens;
  return {
    ...rest,
    user: claims === null ? data.user : { ...data.user, ...identityOf(config, claims) },
    accessToken: tokens.accessToken,
    ...(scope === undefined ? {} : { accessTokenScope: scope }),
    ...(expiresIn === undefined
      ? {}
      : { accessTokenExpiresAt: tokens.receivedAt + Math.floor(expiresIn) }),
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(idToken !== undefined && config.session.storeIDToken ? { idToken } : {}),
  };
}

/**
 * The same session with the newest tokens that this process knows of: a request that was read before a
 * refresh must not write the spent ones back.
 */
export function withNewestTokens(context: Context, stored: StoredSession): StoredSession {
  if (stored.data.refreshToken === undefined) return stored;
  const tokens = context.refreshes.get(keyOf(stored.data))?.settled;
  if (tokens == null) return stored;
  const data = withTokens(context, stored.data, stored.data, tokens);
  return keyOf(data) === keyOf(stored.data)
    ? stored
    : withNewestTokens(context, { ...stored, data });
}
