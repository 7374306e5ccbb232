import { andThen, type Awaitable } from "../awaitable.ts";
import { accessTokenFor } from "../access/access-token.ts";
import { identityOf } from "../access/identity.ts";
import { peekAtSession, saveSession, visitRequest } from "../access/visit-request.ts";
import type { Context } from "../context.ts";
import { type Answer, empty, json } from "../http/answers.ts";
import { cookieHeaders, sessionCacheHeaders } from "../http/headers.ts";
import { checkOrganization } from "../oidc/organization.ts";
import { fetchUserinfo } from "../oidc/userinfo.ts";
import type { OpenVisit } from "../session/visit.ts";
import { endTurns } from "./loop-guard.ts";

/** Who is signed in: the profile, or 204 for nobody. */
export function me(context: Context, request: Request): Awaitable<Answer> {
  if (request.method === "HEAD") return meHead(context, request);
  return andThen(visitRequest(context, request), (visit) => {
    if (visit.stored === null) return empty(204, visit.headers);
    return context.config.refetchUserinfo
      ? refetch(context, request).then((fresh) => profile(context, fresh))
      : profile(context, visit);
  });
}

function profile(context: Context, { stored, cookies, headers }: OpenVisit): Answer {
  const counted = cookieHeaders(endTurns(context, cookies));
  return json(stored?.data.user, 200, [...headers, ...counted]);
}

/** The same question without an effect. */
function meHead(context: Context, request: Request): Awaitable<Answer> {
  return andThen(peekAtSession(context, request), ({ state }) =>
    empty(state === "live" ? 200 : 204, sessionCacheHeaders),
  );
}

/** Brings the profile up to date from the userinfo endpoint; the answer must be about the same person. */
async function refetch(context: Context, request: Request): Promise<OpenVisit> {
  const { config, provider } = context;
  const { accessToken } = await accessTokenFor(context, request);
  const before = await visitRequest(context, request);
  if (before.stored === null) return before;
  const { data } = before.stored;
  const { sub } = data.user;
  const userinfo = await fetchUserinfo(config, provider, { accessToken, subject: sub });
  const user = { ...data.user, ...identityOf(config, { ...userinfo, sub }) };
  checkOrganization(user, config.organization);
  return (await saveSession(context, request, { ...data, user })) ?? before;
}
