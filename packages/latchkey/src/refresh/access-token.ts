import { refreshMarginSeconds, softMarginSeconds } from "../config/constants.ts";
import type { Context } from "../context.ts";
import { nowSeconds, type Runtime } from "../config/runtime.ts";
import { AccessTokenError, type AccessTokenErrorOptions } from "../errors/access-token-error.ts";
import {
  endOf,
  type HeldToken,
  hasScopes,
  type SessionData,
  type StoredSession,
} from "../session/session.ts";
import { usesCode } from "../oidc/authorization-request.ts";
import type { Connection } from "../oidc/connection.ts";
import type { Exchange } from "../request/exchange.ts";
import { exchangedToken } from "./exchanged-token.ts";
import type { AccessTokenRequest } from "./access-token-request.ts";
import { missingSession } from "./failed-refresh.ts";
import { heldToken, isGoodFor } from "./held-token.ts";
import { isSpentHere } from "./refresh-in-cookie.ts";
import { type RefreshRequest, refreshSession } from "./refresh-session.ts";

/** See `RequestAuth.accessToken`. */
export async function accessTokenFor(
  context: Context,
  exchange: Exchange,
  request: AccessTokenRequest = {},
): Promise<string> {
  checkRequest(request);
  if (request.exchange !== undefined) {
    return exchangedToken(context, exchange, request, accessTokenFor);
  }
  const result = await exchange.use();
  if (result.state !== "active") throw missingSession();
  const { stored } = result;
  const { header, data } = stored;
  checkTokens(context.connections.ofSession(header), data);
  if (request.resource !== undefined) return tokenForResource(context, exchange, stored, request);
  checkExpiryKnown(data);
  checkScopes(data, request.scopes);
  const isForced = request.refresh === true;
  if (!canRefresh(context, stored, { isForced })) return requireAccessToken(data);
  const isDue = nowSeconds(context) > endOf(data) - refreshMarginSeconds;
  const isNewest = !hasMissedRefresh(context, exchange, stored);
  const isInHand = (!isDue && isNewest) || isReadOnly(context, exchange, stored);
  if (!isForced && isInHand) return requireAccessToken(data);
  return requireAccessToken((await refreshSession(context, exchange, { stored, isForced })).data);
}

const names = ["scopes", "refresh", "resource", "exchange"];

/** JavaScript lets `{ scope: "read" }` pass, which would check no scope. */
function checkRequest(request: AccessTokenRequest): void {
  const unknown = Object.keys(request).filter((name) => !names.includes(name));
  if (typeof request === "object" && unknown.length === 0 && Array.isArray(request.scopes ?? []))
    return;
  throw new TypeError(
    `accessToken() takes an object of ${names.join(", ")}, where scopes is a list.`,
  );
}

async function tokenForResource(
  context: Context,
  exchange: Exchange,
  stored: StoredSession,
  { resource, scopes = [], refresh = false }: AccessTokenRequest,
): Promise<string> {
  const wanted = { resource, scope: scopes.length === 0 ? undefined : scopes.join(" ") };
  const held = heldToken(stored, wanted);
  const isForced = refresh || !hasScopes(held, scopes);
  if (!canRefresh(context, stored, { isForced, wanted })) return requireAccessToken(held);
  const isGood = isGoodFor(context, stored, refreshMarginSeconds, wanted);
  const isNewest = !hasMissedRefresh(context, exchange, stored);
  if (isGood && isNewest && !isForced) return requireAccessToken(held);
  const refreshed = await refreshSession(context, exchange, { stored, isForced, wanted });
  const token = heldToken(refreshed, wanted);
  checkScopes(token, scopes);
  return requireAccessToken(token);
}

/**
 * Whether the browser lacks the result of a refresh, and this response can bring it: an earlier one
 * was lost, or overtaken by an older one.
 */
function hasMissedRefresh(context: Context, exchange: Exchange, stored: StoredSession): boolean {
  const canBring = exchange.isOpen() && exchange.request.changes?.fault?.() == null;
  return canBring && isSpentHere(context, stored);
}

/** If nothing can be kept, nothing is refreshed: a token is used while it is good. */
function isReadOnly(context: Context, { request }: Exchange, stored: StoredSession): boolean {
  return request.changes?.fault?.() != null && isGoodFor(context, stored, softMarginSeconds);
}

function checkTokens(connection: Connection, { accessToken, refreshToken }: SessionData): void {
  if (accessToken !== undefined || refreshToken !== undefined) return;
  throw missingAccessToken({ needsSignIn: usesCode(connection) });
}

function missingAccessToken(options?: AccessTokenErrorOptions): AccessTokenError {
  return new AccessTokenError(
    "ERR_MISSING_ACCESS_TOKEN",
    "The user does not have a valid access token.",
    options,
  );
}

function requireAccessToken({ accessToken }: HeldToken): string {
  if (accessToken === undefined) throw missingAccessToken();
  return accessToken;
}

/** Without a token, its end must be known to be due. */
function checkExpiryKnown({ accessToken, accessTokenExpiresAt }: SessionData): void {
  if (accessToken !== undefined || typeof accessTokenExpiresAt === "number") return;
  throw new AccessTokenError(
    "ERR_EXPIRED_ACCESS_TOKEN",
    "Expiration information for the access token is not available. The user will need to sign in again.",
  );
}

function checkScopes(token: HeldToken, scopes: readonly string[] = []): void {
  if (hasScopes(token, scopes)) return;
  throw new AccessTokenError(
    "ERR_INSUFFICIENT_SCOPE",
    token.accessTokenScope === undefined
      ? "An access token with the requested scopes could not be provided. The user will need to sign in again."
      : `Could not retrieve an access token with scopes "${scopes.join(" ")}". The user will need to sign in again.`,
  );
}

/**
 * Whether there is a refresh token. Without one the token at hand is used until it ends, whatever
 * the margin: nothing better is to be had.
 *
 * @throws {AccessTokenError} without one, if the token has ended or a new one is demanded
 */
function canRefresh(
  context: Context,
  stored: StoredSession,
  { isForced, wanted = {} }: Pick<RefreshRequest, "isForced" | "wanted">,
): boolean {
  if (stored.data.refreshToken !== undefined) return true;
  if (!isGoodFor(context, stored, 0, wanted)) {
    const needsSignIn = wanted.resource === undefined || !isNew(context, stored);
    throw new AccessTokenError(
      "ERR_EXPIRED_ACCESS_TOKEN",
      "The access token expired and a refresh token is not available. The user will need to sign in again.",
      { needsSignIn },
    );
  }
  if (!isForced) return false;
  throw new AccessTokenError(
    "ERR_MISSING_REFRESH_TOKEN",
    "A refresh token is required to refresh the access token, but none is present.",
  );
}

/** A sign-in of a moment ago has brought no refresh token, and the next one would not. */
function isNew(context: Pick<Runtime, "clock">, { header: { iat } }: StoredSession): boolean {
  return nowSeconds(context) - iat < refreshMarginSeconds;
}
