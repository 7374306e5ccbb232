import type { Context } from "../context.ts";
import { changeBody, complain, isMembers, situationOf } from "../context.ts";
import type { ResponseParts } from "../faults.ts";
import { json } from "../faults.ts";
import type { SeenRequest } from "../request-log.ts";
import { issueToken } from "../tokens/issue-token.ts";

/** Handles a userinfo request. Only the Authorization header may carry the access token. */
export function handleUserinfo(context: Context, seen: SeenRequest): ResponseParts {
  if (seen.query.has("access_token")) {
    complain(context, "CERT-008", "access token in the query of a userinfo request");
  }
  const token = /^Bearer (\S+)$/iu.exec(seen.headers.authorization ?? "")?.[1];
  const grant = context.grants.accessTokens.get(token ?? "");
  if (grant === undefined || context.grants.revoked.has(grant)) {
    const refused = json({ error: "invalid_token" }, 401);
    return { ...refused, headers: { ...refused.headers, "WWW-Authenticate": "Bearer" } };
  }
  const situation = situationOf(context, "userinfo", grant.request);
  const claims = changeBody(context, "userinfo", context.person, situation);
  const faults = context.behaviors.flatMap(({ userinfoToken }) => userinfoToken ?? []);
  if (faults.length === 0 || !isMembers(claims)) return json(claims);
  const signed = { iss: context.issuer, aud: context.client.id, ...claims };
  return {
    status: 200,
    headers: { "Content-Type": "application/jwt", "Cache-Control": "no-store" },
    body: issueToken(signed, faults, situation),
  };
}
