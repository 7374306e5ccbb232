import { refreshMarginSeconds } from "../config/constants.ts";
import { type Context, nowSeconds } from "../context.ts";
import { AccessTokenError } from "../errors/access-token-error.ts";
import { Refusal } from "../errors/refusal.ts";
import type { RefreshedTokens } from "../oidc/tokens/refreshed-tokens.ts";
import type { SessionData } from "../session/session.ts";
import type { Exchange } from "./exchange.ts";
import { refreshOnce, withTokens } from "./refresh.ts";
import { endIfForbidden, saveSession } from "./save-session.ts";

export interface AccessTokenRequest {
  /** All of these must have been granted. */
  readonly scopes?: readonly string[];
  /** Refresh even though the token at hand is still good. */
  readonly refresh?: boolean;
}

/**
 * An access token that is good for at least another 60 s, refreshed where that is due and possible.
 *
 * @throws {AccessTokenError} one of the six codes of the specification, section 8
 * @throws {LatchkeyError} `ERR_HEADERS_SENT` where a refresh is due and its result could not be kept
 */
export async function accessTokenFor(
  context: Context,
  exchange: Exchange,
  asked: AccessTokenRequest = {},
): Promise<string> {
  const result = await exchange.use();
  if (result.state !== "active") throw missingSession();
  const { data } = result.stored;
  checkTokens(data);
  const expiresAt = checkExpiryKnown(data);
  checkScopes(data, asked.scopes);
  const isDue = nowSeconds(context) > expiresAt - refreshMarginSeconds;
  checkRefreshable(data, isDue, asked.refresh === true);
  return data.refreshToken !== undefined && (isDue || asked.refresh === true)
    ? refresh(context, exchange, data, data.refreshToken)
    : requireAccessToken(data);
}

function missingSession(): AccessTokenError {
  return new AccessTokenError("ERR_MISSING_SESSION", "The user does not have a valid session.");
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
  if (typeof accessTokenExpiresAt === "number") return accessTokenExpiresAt;
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
  exchange: Exchange,
  data: SessionData,
  refreshToken: string,
): Promise<string> {
  // A token that cannot be kept must not be spent.
  exchange.checkOpen();
  const tokens = await spend(context, exchange, data, refreshToken);
  const { hooks, log } = context;
  const stored = await saveSession(context, exchange, async (current) => {
    const refreshed = withTokens(context, current, data, tokens);
    return hooks.afterRefresh === undefined ? refreshed : hooks.afterRefresh(refreshed);
  });
  if (stored === null) throw missingSession();
  log({ event: "refresh", outcome: "renewed", sub: data.user.sub });
  return requireAccessToken(stored.data);
}

async function spend(
  context: Context,
  exchange: Exchange,
  data: SessionData,
  refreshToken: string,
): Promise<RefreshedTokens> {
  try {
    return await refreshOnce(context, data, refreshToken);
  } catch (cause) {
    context.log({ event: "refresh", outcome: "refused", sub: data.user.sub });
    await forgetRefusedToken(context, exchange, refreshToken, cause);
    await endIfForbidden(context, exchange, cause);
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
async function forgetRefusedToken(
  context: Context,
  exchange: Exchange,
  refused: string,
  cause: unknown,
): Promise<void> {
  if (!(cause instanceof Refusal) || cause.reason !== "code_rejected") return;
  await saveSession(context, exchange, ({ refreshToken, ...rest }) =>
    refreshToken === undefined || refreshToken === refused ? rest : { ...rest, refreshToken },
  );
}
