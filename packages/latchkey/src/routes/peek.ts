import { andThen, type Awaitable } from "../awaitable.ts";
import { peekAtSession } from "../access/visit-request.ts";
import { type Context, nowSeconds } from "../context.ts";
import { type Answer, json } from "../http/answers.ts";
import { sessionCacheHeaders } from "../http/headers.ts";
import { timesOf } from "../session/lifetime.ts";
import type { EndReason, SessionTimes } from "../session/session.ts";
import type { Found } from "../session/visit.ts";

/** What a look at the session tells, without renewing it; all times in epoch seconds of this server's clock. */
export type Peek =
  | ({
      readonly state: "signed-in";
      readonly now: number;
      readonly sub: string;
    } & SessionTimes)
  | { readonly state: "signed-out"; readonly now: number }
  | { readonly state: "ended"; readonly reason: EndReason; readonly now: number };

/** Looks at the session of a request and leaves everything as it is. */
export function peekAt(context: Context, request: Request): Awaitable<Peek> {
  return andThen(peekAtSession(context, request), (found) => peekOf(context, found));
}

function peekOf(context: Context, found: Found): Peek {
  const now = nowSeconds(context);
  if (found.state === "none") return { state: "signed-out", now };
  if (found.state === "ended") return { state: "ended", reason: found.reason, now };
  const { header, data } = found.stored;
  const times = timesOf(header, context.config.session.lifetime);
  return { state: "signed-in", now, sub: data.user.sub, ...times };
}

/** `GET <pages prefix>/session.json` */
export function peek(context: Context, request: Request): Awaitable<Answer> {
  return andThen(peekAt(context, request), (told) => json(told, 200, sessionCacheHeaders));
}
