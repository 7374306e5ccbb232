import { refreshMarginSeconds } from "../config/constants.ts";
import { type Context, nowSeconds, type RefreshedTokens } from "../context.ts";
import { AccessTokenError } from "../errors/access-token-error.ts";
import { Refusal } from "../errors/refusal.ts";
import { type IDTokenClaims, verifyIDToken } from "../oidc/id-token.ts";
import { checkOrganization } from "../oidc/organization.ts";
import { checkRefreshedIDToken } from "../oidc/refreshed-id-token.ts";
import type { TokenResponse } from "../oidc/token-request.ts";
import type { SessionData } from "../session/session.ts";
import type { Visit } from "../session/visit.ts";
import { identityOf } from "./identity.ts";
import { refreshOnce } from "./refresh-once.ts";
import { saveSession, visitRequest } from "./visit-request.ts";

export interface AccessTokenRequest {
  /** All of these must have been granted. */
  readonly scopes?: readonly string[];
  /** Refresh even though the token at hand is still good. */
  readonly refresh?: boolean;
}

export interface AccessToken {
  readonly accessToken: string;
  /** The visit after a refresh; its headers must go on the answer. */
  readonly visit: Visit;
}

/**
 * An access token that is good for at least another 60 s, refreshed where that is due and possible.
 *
 * @throws {AccessTokenError} one of the six codes of the specification, section 8
 */
export async function accessTokenFor(
  context: Context,
  request: Request,
  asked: AccessTokenRequest = {},
): Promise<AccessToken> {
  const visit = await visitRequest(context, request);
  if (visit.stored === null) {
    throw new AccessTokenError("ERR_MISSING_SESSION", "The user does not have a valid session.");
  }
  const { data } = visit.stored;
  checkTokens(data);
  const expiresAt = checkExpiryKnown(data);
  checkScopes(data, asked.scopes);
  const isDue = nowSeconds(context) > expiresAt - refreshMarginSeconds;
  checkRefreshable(data, isDue, asked.refresh === true);
  if (data.refreshToken !== undefined && (isDue || asked.refresh === true)) {
    return refresh(context, request, data, data.refreshToken);
  }
  return { accessToken: requireAccessToken(data), visit };
}

function checkTokens({ accessToken, refreshToken }: SessionData): void {
  if (accessToken === undefined && refreshToken === undefined) throw missingAccessToken();
}

function missingAccessToken(): AccessTokenError {
  return new AccessTokenError(
    "ERR_MISSING_ACCESS_TOKEN",
    "The user does not have a valid access token.",
  );
}

function requireAccessToken({ accessToken }: SessionData): string {
  if (accessToken === undefined) throw missingAccessToken();
  return accessToken;
}

function checkExpiryKnown({ accessTokenExpiresAt }: SessionData): number {
  if (typeof accessTokenExpiresAt === "number" && accessTokenExpiresAt > 0) {
    return accessTokenExpiresAt;
  }
  throw new AccessTokenError(
    "ERR_EXPIRED_ACCESS_TOKEN",
    "Expiration information for the access token is not available. The user will need to sign in again.",
  );
}

function checkScopes({ accessTokenScope }: SessionData, scopes: readonly string[] = []): void {
  if (scopes.length === 0) return;
  if (accessTokenScope === undefined) {
    throw new AccessTokenError(
      "ERR_INSUFFICIENT_SCOPE",
      "An access token with the requested scopes could not be provided. The user will need to sign in again.",
    );
  }
  const granted = accessTokenScope.split(" ");
  if (scopes.every((scope) => granted.includes(scope))) return;
  throw new AccessTokenError(
    "ERR_INSUFFICIENT_SCOPE",
    `Could not retrieve an access token with scopes "${scopes.join(" ")}". The user will need to sign in again.`,
  );
}

function checkRefreshable({ refreshToken }: SessionData, isDue: boolean, isForced: boolean): void {
  if (refreshToken !== undefined) return;
  if (isDue) {
    throw new AccessTokenError(
      "ERR_EXPIRED_ACCESS_TOKEN",
      "The access token expired and a refresh token is not available. The user will need to sign in again.",
    );
  }
  if (isForced) {
    throw new AccessTokenError(
      "ERR_MISSING_REFRESH_TOKEN",
      "A refresh token is required to refresh the access token, but none is present.",
    );
  }
}

async function refresh(
  context: Context,
  request: Request,
  data: SessionData,
  refreshToken: string,
): Promise<AccessToken> {
  const renewed = await spend(context, request, data, refreshToken);
  const { hooks, log } = context;
  const kept = hooks.afterRefresh === undefined ? renewed : await hooks.afterRefresh(renewed);
  const visit = await saveSession(context, request, kept);
  if (visit?.stored == null) {
    throw new AccessTokenError("ERR_MISSING_SESSION", "The user does not have a valid session.");
  }
  log({ event: "refresh", outcome: "renewed", sub: data.user.sub });
  return { accessToken: requireAccessToken(visit.stored.data), visit };
}

async function spend(
  context: Context,
  request: Request,
  data: SessionData,
  refreshToken: string,
): Promise<SessionData> {
  try {
    const tokens = await refreshOnce(context, refreshToken, data.accessToken);
    const claims = await verifyRefreshedIdentity(context, data, tokens);
    return withTokens(context, data, tokens, claims);
  } catch (cause) {
    context.log({ event: "refresh", outcome: "refused", sub: data.user.sub });
    await dropDeadToken(context, request, data, cause);
    throw failedRefresh(cause);
  }
}

function failedRefresh(cause: unknown): AccessTokenError {
  const why = cause instanceof Refusal ? (cause.detail ?? cause.message) : "internal";
  return new AccessTokenError(
    "ERR_FAILED_REFRESH_GRANT",
    `The request to refresh the access token failed. CAUSE: ${why}`,
    { cause },
  );
}

/** A refresh token that the provider refuses is forgotten; the person stays signed in, without it. */
async function dropDeadToken(
  context: Context,
  request: Request,
  data: SessionData,
  cause: unknown,
): Promise<void> {
  if (!(cause instanceof Refusal) || cause.reason !== "code_rejected") return;
  const { refreshToken: _dead, ...rest } = data;
  await saveSession(context, request, rest);
}

/** A refreshed ID token is optional, and speaks of the same person (OpenID Connect Core 12.2). */
async function verifyRefreshedIdentity(
  context: Context,
  { user, idToken }: SessionData,
  tokens: TokenResponse,
): Promise<IDTokenClaims | null> {
  if (tokens.idToken === undefined) return null;
  const { config, provider } = context;
  const expected = { nonce: null, accessToken: tokens.accessToken, now: nowSeconds(context) };
  const claims = await verifyIDToken(tokens.idToken, { config, provider, expected });
  checkRefreshedIDToken(claims, { sub: user.sub, idToken });
  checkOrganization({ ...user, ...claims }, config.organization);
  return claims;
}

function withTokens(
  { config }: Context,
  data: SessionData,
  tokens: RefreshedTokens,
  claims: IDTokenClaims | null,
): SessionData {
  const { accessTokenExpiresAt: _old, ...rest } = data;
  const scope = tokens.scope ?? data.accessTokenScope;
  return {
    ...rest,
    user: claims === null ? data.user : { ...data.user, ...identityOf(config, claims) },
    accessToken: tokens.accessToken,
    ...(scope === undefined ? {} : { accessTokenScope: scope }),
    ...(tokens.expiresIn === undefined
      ? {}
      : { accessTokenExpiresAt: tokens.receivedAt + Math.floor(tokens.expiresIn) }),
    ...(tokens.refreshToken === undefined ? {} : { refreshToken: tokens.refreshToken }),
    ...(tokens.idToken !== undefined && config.session.storeIDToken
      ? { idToken: tokens.idToken }
      : {}),
  };
}
