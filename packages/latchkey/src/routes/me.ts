import { accessTokenFor } from "../access/access-token.ts";
import type { Exchange } from "../access/exchange.ts";
import { type Claims, identityOf, type StoredSession } from "../session/session.ts";
import { endIfForbidden, saveSession } from "../access/save-session.ts";
import { type Context, nowSeconds } from "../context.ts";
import { cookieHeaders, sessionCacheHeaders } from "../http/headers.ts";
import { empty, json, type ResponseParts } from "../http/response-parts.ts";
import { checkOrganization } from "../oidc/tokens/organization.ts";
import { fetchUserinfo } from "../oidc/userinfo.ts";
import { activeSession } from "../session/read-session.ts";

/** Tells who is signed in: the profile, or 204 where nobody is (specification, section 7). */
export async function me(context: Context, exchange: Exchange): Promise<ResponseParts> {
  if (exchange.request.method === "HEAD") return meHead(exchange);
  const stored = activeSession(await exchange.use());
  if (stored === null) return empty(204);
  const user = context.config.refetchUserinfo
    ? await refetchUser(context, exchange, stored)
    : stored.data.user;
  return json(user, 200, cookieHeaders(context.loopCounter.reset(exchange.cookies)));
}

/** The same question without an effect. */
async function meHead(exchange: Exchange): Promise<ResponseParts> {
  const { state } = await exchange.read();
  return empty(state === "active" ? 200 : 204, sessionCacheHeaders);
}

/** Brings the profile up to date from the userinfo endpoint; its response must be about the same user. */
async function refetchUser(
  context: Context,
  exchange: Exchange,
  { data }: StoredSession,
): Promise<Claims> {
  const { config, provider } = context;
  const accessToken = await accessTokenFor(context, exchange);
  const { sub } = data.user;
  const userinfo = await fetchUserinfo(config, provider, {
    accessToken,
    subject: sub,
    now: nowSeconds(context),
  });
  const fresh = identityOf(config, { ...userinfo, sub });
  try {
    checkOrganization({ ...data.user, ...fresh }, config.organization);
  } catch (cause) {
    await endIfForbidden(context, exchange, cause);
    throw cause;
  }
  const stored = await saveSession(context, exchange, (current) => ({
    ...current,
    user: { ...current.user, ...fresh },
  }));
  return (stored?.data ?? data).user;
}
