import { refreshMarginSeconds, softMarginSeconds } from "../config/constants.ts";
import { type Context, withConnection } from "../context.ts";
import { nowSeconds, type Runtime } from "../config/runtime.ts";
import { AccessTokenError, type AccessTokenErrorOptions } from "../errors/access-token-error.ts";
import {
  endOfToken,
  type HeldToken,
  hasScopes,
  type SessionData,
  type StoredSession,
} from "../session/session.ts";
import { usesCode } from "../oidc/authorization-request.ts";
import type { Connection } from "../oidc/connection.ts";
import type { Exchange } from "../request/exchange.ts";
import { belongsInStore } from "../session/place.ts";
import { activeSession } from "../session/read-session.ts";
import { exchangedToken } from "./exchanged-token.ts";
import type { AccessTokenRequest } from "./access-token-request.ts";
import { missingSession } from "./failed-refresh.ts";
import { heldToken, isGoodFor } from "./held-token.ts";
import { isSpentHere, refreshInCookie } from "./refresh-in-cookie.ts";
import { refreshInStore } from "./refresh-in-store.ts";
import { observeRefresh, type Refresh } from "./refresh.ts";

/** See `RequestAuth.accessToken`. */
export async function accessTokenFor(
  context: Context,
  exchange: Exchange,
  request: AccessTokenRequest = {},
): Promise<string> {
  checkRequest(request);
  return request.exchange === undefined
    ? tokenOfSession(context, exchange, request)
    : exchangedToken(context, exchange, request, tokenOfSession);
}

/** The token of the sign-in, or one for another resource server; a new one if needed. */
async function tokenOfSession(
  context: Context,
  exchange: Exchange,
  { resource, scopes = [], refresh = false }: AccessTokenRequest = {},
): Promise<string> {
  const stored = activeSession(await exchange.use());
  if (stored === null) throw missingSession();
  checkTokens(context.connections.ofSession(stored.header), stored.data);
  const isOfSignIn = resource === undefined;
  const wanted = isOfSignIn ? {} : { resource, scope: scopes.join(" ") || undefined };
  const held = heldToken(stored, wanted);
  // Scopes of the sign-in come with a sign-in only, those for a resource server with a refresh.
  if (isOfSignIn) checkExpiryKnown(held);
  if (isOfSignIn) checkScopes(held, scopes);
  const request = { stored, wanted, isForced: refresh || !hasScopes(held, scopes) };
  const token = needsRefresh(context, exchange, request)
    ? heldToken(await refreshSession(context, exchange, request), wanted)
    : held;
  checkScopes(token, scopes);
  return requireAccessToken(token);
}

/** Which token of a session is to be refreshed. */
type RefreshRequest = Pick<Refresh, "stored" | "isForced" | "wanted">;

/**
 * Refreshes the tokens of a session. In the store, one instance at a time sends its refresh
 * token; in a cookie, one request of this process at a time. Other requests use its result, or the
 * token at hand while it is good.
 *
 * @returns the session, with a good access token
 * @throws {AccessTokenError} `ERR_FAILED_REFRESH_GRANT`, `ERR_REFRESH_UNDER_WAY`,
 *   `ERR_MISSING_SESSION`
 * @throws {Refusal} `store_unavailable`: the token at hand has expired, and the store cannot keep a
 *   new one
 * @throws {LatchkeyError} `ERR_HEADERS_SENT`
 */
async function refreshSession(
  context: Context,
  exchange: Exchange,
  { stored, isForced, wanted }: RefreshRequest,
): Promise<StoredSession> {
  const isInStore = livesInStore(context, stored);
  // Only the response keeps what a refresh of a cookie brings.
  if (!isInStore) exchange.checkOpen();
  const begunAt = context.timing.monotonic();
  const connection = context.connections.ofSession(stored.header);
  const session = { connection, exchange, stored, wanted };
  const named = withConnection(context, connection);
  const refresh = { context: named, ...session, isForced, begunAt, reported: {} };
  return observeRefresh(refresh, () =>
    isInStore ? refreshInStore(refresh) : refreshInCookie(refresh),
  );
}

function livesInStore({ store, config }: Context, { record, data }: StoredSession): boolean {
  return record !== null || (store !== null && belongsInStore(config.session.stateful, data));
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

/**
 * Whether the token at hand is refreshed though it may be good for a while. Without a refresh token
 * it is used until it ends: nothing better is to be had.
 *
 * @throws {AccessTokenError} without a refresh token, if the token has ended or a new one is
 *   demanded
 */
function needsRefresh(context: Context, exchange: Exchange, request: RefreshRequest): boolean {
  const { stored, wanted, isForced } = request;
  const hasRefreshToken = stored.data.refreshToken !== undefined;
  if (!hasRefreshToken) checkUsable(context, request);
  const isDue =
    isMissing(request) ||
    nowSeconds(context) > endOfToken(heldToken(stored, wanted)) - refreshMarginSeconds ||
    hasMissedRefresh(context, exchange, stored);
  return hasRefreshToken && (isForced || (isDue && !isReadOnly(context, exchange, request)));
}

/** Whether the session has had no token for the resource yet. */
function isMissing({ stored, wanted }: RefreshRequest): boolean {
  return wanted.resource !== undefined && heldToken(stored, wanted).accessToken === undefined;
}

/**
 * Whether the browser lacks the result of a refresh, and this response can bring it: an earlier one
 * was lost, or overtaken by an older one.
 */
function hasMissedRefresh(context: Context, exchange: Exchange, stored: StoredSession): boolean {
  return exchange.isOpen() && isSpentHere(context, stored);
}

/** If nothing can be kept, nothing is refreshed: a token is used while it is good. */
function isReadOnly(
  runtime: Pick<Runtime, "clock">,
  { request: { changes } }: Exchange,
  { stored, wanted }: RefreshRequest,
): boolean {
  return changes?.fault?.() != null && isGoodFor(runtime, stored, softMarginSeconds, wanted);
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
function checkExpiryKnown({ accessToken, accessTokenExpiresAt }: HeldToken): void {
  if (accessToken !== undefined || typeof accessTokenExpiresAt === "number") return;
  throw new AccessTokenError(
    "ERR_EXPIRED_ACCESS_TOKEN",
    "Expiration information for the access token is not available. The user will need to sign in again.",
  );
}

function checkScopes(token: HeldToken, scopes: readonly string[]): void {
  if (hasScopes(token, scopes)) return;
  throw new AccessTokenError(
    "ERR_INSUFFICIENT_SCOPE",
    token.accessTokenScope === undefined
      ? "An access token with the requested scopes could not be provided. The user will need to sign in again."
      : `Could not retrieve an access token with scopes "${scopes.join(" ")}". The user will need to sign in again.`,
  );
}

/** Whether a token is of use without a refresh token. */
function checkUsable(
  runtime: Pick<Runtime, "clock">,
  { stored, wanted, isForced }: RefreshRequest,
): void {
  if (!isGoodFor(runtime, stored, 0, wanted)) {
    throw new AccessTokenError(
      "ERR_EXPIRED_ACCESS_TOKEN",
      "The access token expired and a refresh token is not available. The user will need to sign in again.",
      { needsSignIn: wanted.resource === undefined || !isNew(runtime, stored) },
    );
  }
  if (isForced) {
    throw new AccessTokenError(
      "ERR_MISSING_REFRESH_TOKEN",
      "A refresh token is required to refresh the access token, but none is present.",
    );
  }
}

/** A sign-in of a moment ago has brought no refresh token, and the next one would not. */
function isNew(context: Pick<Runtime, "clock">, { header: { iat } }: StoredSession): boolean {
  return nowSeconds(context) - iat < refreshMarginSeconds;
}
