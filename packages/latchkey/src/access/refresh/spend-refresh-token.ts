import { type Context, nowSeconds } from "../../context.ts";
import { type RefreshFault, refreshFaultOf } from "../../oidc/refresh-fault.ts";
import { type IDTokenClaims, verifyIDToken } from "../../oidc/tokens/id-token.ts";
import { checkOrganization } from "../../oidc/tokens/organization.ts";
import { checkRefreshedIDToken } from "../../oidc/tokens/refreshed-id-token.ts";
import { refreshTokens, type TokenResponse, type WantedToken } from "../../oidc/token-request.ts";
import type { SessionContent } from "../../session/seal.ts";
import { identityOf, type SessionData } from "../../session/session.ts";
import type { RefreshResult } from "../../session/tickets/refresh-result.ts";
import type { Ticket } from "../../session/tickets/ticket.ts";
import type { Refresh } from "./refresh.ts";

/**
 * Why a refresh has brought nothing: what the provider's answer says, or
 *
 * - `unusable`: the provider took the token, and what it gave for it must not be used
 * - `late`: the lease is nearly over, so nothing was sent
 */
export type RefreshFailure = RefreshFault | "unusable" | "late";

export class RefreshFailed extends Error {
  readonly failure: RefreshFailure;

  constructor(failure: RefreshFailure, cause?: unknown) {
    super(failure, { cause });
    this.failure = failure;
  }
}

/**
 * Sends the refresh token of a ticket that is leased (OpenID Connect Core 12), and once more where the response was
 * lost: within the grace that many providers give this saves the session, and without one nothing is left to lose.
 *
 * @param hasTime whether a call would end before the lease does
 * @throws {RefreshFailed}
 */
export async function spendRefreshToken(
  context: Context,
  { stored, ticket, wanted }: Pick<Refresh, "stored" | "ticket" | "wanted">,
  hasTime: () => boolean,
): Promise<RefreshResult> {
  await context.provider.metadata().catch((cause: unknown) => {
    throw new RefreshFailed("unsent", cause);
  });
  if (!hasTime()) throw new RefreshFailed("late");
  const send = () => sendOnce(context, ticket, wanted);
  const response = await sendTwice(send, hasTime);
  const receivedAt = nowSeconds(context);
  const { refreshToken = ticket.refreshToken, scope = wanted.scope } = response;
  try {
    const claims = await verifiedClaims(context, stored.data, response);
    const received = { ...response, refreshToken, scope, claims, receivedAt };
    const result = resultOf(context, stored, received);
    return wanted.resource === undefined ? result : forResource(result, stored, wanted.resource);
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

async function sendOnce(
  { config, provider }: Context,
  { refreshToken }: Ticket,
  wanted: WantedToken,
): Promise<TokenResponse> {
  try {
    return await refreshTokens(config, provider, refreshToken, wanted);
  } catch (cause) {
    throw new RefreshFailed(refreshFaultOf(cause), cause);
  }
}

/** The claims of a new ID token, where one came: it must continue the sign-in that was (OpenID Connect Core 12.2). */
async function verifiedClaims(
  context: Context,
  { user, idToken: former }: SessionData,
  { idToken, accessToken }: TokenResponse,
): Promise<IDTokenClaims | null> {
  if (idToken === undefined) return null;
  const { config, provider } = context;
  const expected = { nonce: null, accessToken, now: nowSeconds(context) };
  const claims = await verifyIDToken(idToken, { config, provider, expected });
  checkRefreshedIDToken(claims, { sub: user.sub, idToken: former });
  checkOrganization({ ...user, ...claims }, config.organization);
  return claims;
}

interface Received extends TokenResponse {
  readonly refreshToken: string;
  readonly claims: IDTokenClaims | null;
  /** Epoch seconds: whoever shares the tokens later must not think them younger. */
  readonly receivedAt: number;
}

/** What the provider does not tell anew stays as it was, but for the end of the access token. */
function resultOf(
  { config }: Context,
  { header: { generation = 0 } }: SessionContent,
  received: Received,
): RefreshResult {
  const { accessToken, refreshToken, expiresIn, idToken, scope, claims, receivedAt } = received;
  return {
    generation: generation + 1,
    tokens: {
      accessToken,
      refreshToken,
      ...(scope === undefined ? {} : { accessTokenScope: scope }),
      ...(expiresIn === undefined
        ? {}
        : { accessTokenExpiresAt: receivedAt + Math.floor(expiresIn) }),
      ...(idToken === undefined || !config.session.storeIDToken ? {} : { idToken }),
    },
    claims: claims === null ? null : identityOf(config, claims),
  };
}

/** The token goes to its resource, and that of the sign-in stays: no API gets a token that is meant for another. */
function forResource(
  { tokens, ...result }: RefreshResult,
  { data: { accessTokenExpiresAt } }: SessionContent,
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
