import { accessTokenFor } from "../refresh/access-token.ts";
import type { Exchange } from "../request/exchange.ts";
import { checkProofReached } from "../request/guard/missing-proof.ts";
import { type Claims, type StoredSession } from "../session/session.ts";
import { saveSession } from "../request/save-session.ts";
import { endIfForbidden } from "../ends/end-session.ts";
import type { Context } from "../context.ts";
import { nowSeconds } from "../config/runtime.ts";
import { AccessTokenError } from "../errors/access-token-error.ts";
import { isTemporary } from "../errors/refusal.ts";
import { cookieHeaders, sessionCacheHeaders } from "../http/headers.ts";
import { empty, json, type ResponseParts } from "../http/response-parts.ts";
import { userClaims } from "../oidc/tokens/user-claims.ts";
import { checkKnownUser } from "../oidc/tokens/kept-sign-in.ts";
import { fetchUserinfo, RejectedTokenRefusal } from "../oidc/userinfo.ts";
import { activeSession } from "../session/read-session.ts";

/**
 * Returns the profile of the signed-in user, or 204 without a session (specification, section 7).
 */
export async function me(context: Context, exchange: Exchange): Promise<ResponseParts> {
  if (exchange.request.method === "HEAD") return meHead(exchange);
  const result = await exchange.use();
  checkProofReached(exchange.request, result);
  const stored = activeSession(result);
  if (stored === null) return empty(204);
  const connection = context.connections.ofSession(stored.header);
  const user = connection.refetchUserinfo
    ? await refetchUser(context, exchange, stored)
    : stored.data.user;
  return json(user, 200, cookieHeaders(context.signIns.loopCounter.reset(exchange.cookies)));
}

/** The same question without an effect. */
async function meHead(exchange: Exchange): Promise<ResponseParts> {
  const { state } = await exchange.read();
  return empty(state === "active" ? 200 : 204, sessionCacheHeaders);
}

/** Returns the claims of userinfo; `null` and a warning if the grant of the user has ended. */
async function userinfoIfGranted(
  context: Context,
  exchange: Exchange,
  { header, data }: StoredSession,
): Promise<Readonly<Record<string, unknown>> | null> {
  const connection = context.connections.ofSession(header);
  try {
    const accessToken = await accessTokenFor(context, exchange);
    return await fetchUserinfo(connection, {
      accessToken,
      subject: data.user.sub,
      now: nowSeconds(context),
    });
  } catch (error) {
    if (!isOfGrant(error) || isTemporary(error)) throw error;
    context.warnings.once(
      "userinfo-not-fetched",
      `A profile could not be fetched again (${error.code}), so the profile of the sign-in was sent. If this happens to many users, add offline_access to LATCHKEY_SCOPE, or turn LATCHKEY_REFETCH_USERINFO off.`,
    );
    return null;
  }
}

function isOfGrant(error: unknown): error is AccessTokenError | RejectedTokenRefusal {
  if (error instanceof AccessTokenError) return error.code !== "ERR_MISSING_SESSION";
  return error instanceof RejectedTokenRefusal;
}

/** Updates the profile from the userinfo endpoint. The response must be about the same user. */
async function refetchUser(
  context: Context,
  exchange: Exchange,
  stored: StoredSession,
): Promise<Claims> {
  const connection = context.connections.ofSession(stored.header);
  const { data } = stored;
  const { sub } = data.user;
  const userinfo = await userinfoIfGranted(context, exchange, stored);
  if (userinfo === null) return data.user;
  const claims = { ...userinfo, sub };
  const fresh = userClaims(connection, claims);
  try {
    const user = { ...data.user, ...claims };
    checkKnownUser(connection, { user, idToken: data.idToken, claims: null });
  } catch (cause) {
    await endIfForbidden(context, exchange, cause);
    throw cause;
  }
  const saved = await saveSession(context, exchange, (current) => ({
    ...current,
    user: { ...current.user, ...fresh },
  }));
  return (saved?.data ?? data).user;
}
