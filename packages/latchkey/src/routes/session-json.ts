import type { Exchange } from "../request/exchange.ts";
import { checkProofReached } from "../request/guard/missing-proof.ts";
import type { Context } from "../context.ts";
import { nowSeconds } from "../config/runtime.ts";
import { sessionCacheHeaders } from "../http/headers.ts";
import { json, type ResponseParts } from "../http/response-parts.ts";
import type { Connection } from "../oidc/connection.ts";
import type { Identity } from "../config/identity.ts";
import { identityOfPrincipal } from "../principal/principal.ts";
import { principalOfSession } from "../principal/principal.ts";
import { timesOf } from "../session/lifetime.ts";
import type { SessionResult } from "../session/read-session.ts";
import type { EndReason, SessionTimes, StoredSession } from "../session/session.ts";

/**
 * The response of `GET /_auth/session.json`, without renewal. All times are epoch seconds of this
 * server's clock.
 */
export type PeekResult =
  | ({
      readonly state: "signed-in";
      readonly now: number;
      readonly sub: string;
    } & Names &
      SessionTimes)
  | { readonly state: "signed-out"; readonly now: number }
  | { readonly state: "ended"; readonly reason: EndReason; readonly now: number };

/** Absent with one connection. */
interface Names {
  readonly connection?: string;
  /** How users know the connection. */
  readonly label?: string;
  readonly identity?: Identity;
}

/** `GET <pages prefix>/session.json`: looks at the session and leaves everything as it is. */
export async function sessionJSON(context: Context, exchange: Exchange): Promise<ResponseParts> {
  const result = await exchange.read();
  checkProofReached(exchange.request, result);
  return json(peekOf(context, result), 200, sessionCacheHeaders);
}

/** Whose session it is, if there are several connections. */
function namesIn(context: Context, stored: StoredSession, { label }: Connection): Names {
  const principal = principalOfSession(stored, context);
  const identity = identityOfPrincipal(principal);
  return identity?.connection == null ? {} : { connection: identity.connection, label, identity };
}

function peekOf(context: Context, result: SessionResult): PeekResult {
  const now = nowSeconds(context);
  if (result.state === "none") return { state: "signed-out", now };
  if (result.state === "unproved") return { state: "ended", reason: "unproved", now };
  if (result.state === "ended") return { state: "ended", reason: result.reason, now };
  const { stored } = result;
  const { header, data } = stored;
  const connection = context.connections.ofSession(header);
  const times = timesOf(header, connection.lifetime);
  const named = connection.named === undefined ? {} : namesIn(context, stored, connection);
  return { state: "signed-in", now, sub: data.user.sub, ...named, ...times };
}
