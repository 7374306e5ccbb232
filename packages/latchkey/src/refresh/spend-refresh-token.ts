import type { Context } from "../context.ts";
import { nowSeconds } from "../config/runtime.ts";
import { Refusal } from "../errors/refusal.ts";
import type { Connection } from "../oidc/connection.ts";
import type { Issuer } from "../oidc/issuer/issuer.ts";
import { type RefreshFault, refreshFaultOf } from "../oidc/refresh-fault.ts";
import { type IDTokenClaims, verifyIDToken } from "../oidc/tokens/id-token.ts";
import { userClaims } from "../oidc/tokens/user-claims.ts";
import { checkKeptSignIn, checkKnownUser } from "../oidc/tokens/kept-sign-in.ts";
import { checkRefreshedIDToken } from "../oidc/tokens/refreshed-id-token.ts";
import { sessionExpiryOf } from "../oidc/tokens/session-expiry.ts";
import { refreshTokens, type WantedToken } from "../oidc/token-request.ts";
import { endOfAccessToken, type TokenResponse } from "../oidc/token-response.ts";
import type { RefreshResult } from "../session/refresh-result.ts";
import type { SessionContent } from "../session/seal.ts";
import type { SessionData } from "../session/session.ts";

/**
 * Why a refresh has brought nothing: what the provider's answer says, or `late`: the lease is
 * nearly over, nothing was sent.
 */
export type RefreshFailure = RefreshFault | "late";

export class RefreshFailed extends Error {
  readonly failure: RefreshFailure;

  constructor(failure: RefreshFailure, cause?: unknown) {
    super(failure, { cause });
    this.failure = failure;
  }
}

/** A refresh token, its session, and the wanted access token. */
export interface Spending {
  readonly connection: Connection;
  readonly refreshToken: string;
  readonly session: SessionContent;
  readonly wanted: WantedToken;
}

/**
 * How long a caller may keep others from sending its refresh token: two calls, and what is written
 * about them.
 */
export function spendingMs({ timeoutMs }: Issuer): number {
  return timeoutMs * 2 + 3000;
}

/**
 * Sends a refresh token (OpenID Connect Core 12), and once more if the response was lost: many
 * providers accept a used token again for a short time, and this saves the session. If the provider
 * does not, the token was lost already.
 *
 * A session that does not meet the rules of its connection as they are today gets no token.
 *
 * @param hasTime - whether a call would end while no other request may send the token
 * @throws {RefreshFailed}
 */
export async function spendRefreshToken(
  context: Context,
  spending: Spending,
  hasTime: () => boolean,
): Promise<RefreshResult> {
  const { session, wanted, connection } = spending;
  checkSignIn(spending);
  await connection.issuer.metadata().catch((cause: unknown) => {
    throw new RefreshFailed("unsent", cause);
  });
  const detail = connection.issuer.clockFault();
  // With a wrong clock the new ID token would be refused, and the spent token would be lost.
  if (detail !== null) {
    const fault = { reason: "token_issued_at", kind: "id_token" } as const;
    throw new RefreshFailed("unsent", new Refusal(fault, { detail }));
  }
  if (!hasTime()) throw new RefreshFailed("late");
  const response = await sendTwice(() => sendOnce(spending), hasTime);
  const receivedAt = nowSeconds(context);
  const { refreshToken = spending.refreshToken, scope = wanted.scope } = response;
  try {
    const claims = await verifiedClaims(spending, response, receivedAt);
    const result = resultOf(context, connection, {
      ...response,
      refreshToken,
      scope,
      claims,
      receivedAt,
    });
    connection.refreshLimits.succeeded();
    return wanted.resource === undefined
      ? result
      : forResource(result, session.data, wanted.resource);
  } catch (cause) {
    throw new RefreshFailed("unusable", cause);
  }
}

/** A session that is refused anyway sends nothing. */
function checkSignIn({ connection, session: { header } }: Spending): void {
  try {
    checkKeptSignIn(connection, header);
  } catch (cause) {
    throw new RefreshFailed("unusable", cause);
  }
}

async function sendTwice(
  send: () => Promise<TokenResponse>,
  hasTime: () => boolean,
): Promise<TokenResponse> {
  try {
    return await send();
  } catch (error) {
    const isLost = error instanceof RefreshFailed && error.failure === "unanswered";
    if (!isLost || !hasTime()) throw error;
    return send();
  }
}

async function sendOnce({ connection, refreshToken, wanted }: Spending): Promise<TokenResponse> {
  try {
    return await refreshTokens(connection, refreshToken, wanted);
  } catch (cause) {
    throw new RefreshFailed(refreshFaultOf(cause), cause);
  }
}

/**
 * The claims of a new ID token, if one came: it must continue the same sign-in (OpenID Connect Core
 * 12.2). Its `auth_time` is left out, because a refresh proves nothing of the user.
 */
async function verifiedClaims(
  { connection, session: { data } }: Spending,
  { idToken, accessToken }: TokenResponse,
  now: number,
): Promise<IDTokenClaims | null> {
  const { user, idToken: former } = data;
  if (idToken === undefined) {
    checkKnownUser(connection, { user, idToken: former, claims: null });
    return null;
  }
  const verified = await verifyIDToken(connection, idToken, { nonce: null, accessToken, now });
  checkRefreshedIDToken(verified, { sub: user.sub, idToken: former });
  const { auth_time: _ofRefresh, ...claims } = verified;
  checkKnownUser(connection, { user, idToken: former, claims });
  return claims;
}

interface Received extends TokenResponse {
  readonly refreshToken: string;
  readonly claims: IDTokenClaims | null;
  /** Epoch seconds. */
  readonly receivedAt: number;
}

/** What the response leaves out stays as it was, but for the end of the access token. */
function resultOf({ config }: Context, connection: Connection, received: Received): RefreshResult {
  const { accessToken, refreshToken, idToken, scope, claims } = received;
  const end = endOfAccessToken(received, received.receivedAt);
  return {
    tokens: {
      accessToken,
      refreshToken,
      ...(scope === undefined ? {} : { accessTokenScope: scope }),
      ...(end === undefined ? {} : { accessTokenExpiresAt: end }),
      ...(idToken === undefined || !config.session.storeIDToken ? {} : { idToken }),
    },
    claims: claims === null ? null : userClaims(connection, claims),
    ...(claims === null ? {} : sessionExpiryOf(claims)),
  };
}

/**
 * The token of the sign-in stays beside the one for the resource: no API gets a token meant for
 * another.
 */
function forResource(
  { tokens, ...result }: RefreshResult,
  { accessTokenExpiresAt }: SessionData,
  resource: string,
): RefreshResult {
  const { refreshToken, idToken, ...received } = tokens;
  return {
    ...result,
    tokens: {
      refreshToken,
      ...(idToken === undefined ? {} : { idToken }),
      ...(accessTokenExpiresAt === undefined ? {} : { accessTokenExpiresAt }),
    },
    resourceToken: { resource, ...received },
  };
}
