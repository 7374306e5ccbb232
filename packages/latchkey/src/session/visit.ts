import type { SessionLifetime } from "../config/config.ts";
import { andThen, type Awaitable } from "../awaitable.ts";
import type { Cookies } from "../http/cookies.ts";
import { cookieHeaders, type HeaderList, sessionCacheHeaders } from "../http/headers.ts";
import { expiryOf, timesOf } from "./lifetime.ts";
import type { EndReason, Session, StoredSession } from "./session.ts";
import type { Sessions } from "./sessions.ts";

/** What one request finds out about its session. */
export interface Visit {
  readonly session: Session | null;
  /** Why there is none, where the request carried one that is dead. */
  readonly ended?: EndReason;
  /** What the answer must carry: `withHeaders(response, visit.headers)`. */
  readonly headers: HeaderList;
}

/** A visit with what later steps of the same request need: how the session was stored. */
export interface OpenVisit extends Visit {
  readonly stored: StoredSession | null;
  readonly cookies: Cookies;
}

export interface VisitParts {
  readonly sessions: Sessions;
  readonly lifetime: SessionLifetime;
  readonly rolling: boolean;
  /** Seconds since the last renewal during which none is due. */
  readonly renewAfter: number;
}

/** What a look at the session found, without anything being changed. */
export type Found =
  | { readonly state: "none" }
  | { readonly state: "ended"; readonly reason: EndReason; readonly stored: StoredSession | null }
  | { readonly state: "live"; readonly stored: StoredSession };

/** Reads the session and judges it: decrypt, lifetime, ended list. Renews nothing. */
export function findSession(
  parts: Pick<VisitParts, "sessions" | "lifetime">,
  cookies: Cookies,
  nowSeconds: number,
): Awaitable<Found> {
  return andThen(parts.sessions.storage.load(cookies), (stored) => {
    if (stored === null) return { state: "none" };
    return typeof stored === "string"
      ? { state: "ended", reason: stored, stored: null }
      : judgeSession(parts, stored, nowSeconds);
  });
}

/** Whether a session that could be read still lives: lifetime, ended list. */
export function judgeSession(
  { sessions, lifetime }: Pick<VisitParts, "sessions" | "lifetime">,
  stored: StoredSession,
  nowSeconds: number,
): Awaitable<Found> {
  const expired = expiryOf(stored.header, lifetime, nowSeconds);
  if (expired !== null) return { state: "ended", reason: expired, stored };
  return andThen(isEnded(sessions, stored), (ended) =>
    ended ? { state: "ended", reason: "elsewhere", stored } : { state: "live", stored },
  );
}

function isEnded({ ended }: Sessions, { header, data }: StoredSession): Awaitable<boolean> {
  if (ended === null) return false;
  const { sid, sub } = data.user;
  return ended.isEnded({
    id: header.id,
    sid: typeof sid === "string" ? sid : undefined,
    sub,
    started: header.started ?? header.iat * 1000,
  });
}

/** One request's read of the session, in order: find, then renew what lives or clear what is dead. */
export function visitSession(
  parts: VisitParts,
  cookies: Cookies,
  nowSeconds: number,
): Awaitable<OpenVisit> {
  return andThen(findSession(parts, cookies, nowSeconds), (found) => {
    if (found.state === "none") return { ...nobody, cookies };
    if (found.state === "ended") return dead(parts, cookies, found.reason);
    const { stored } = found;
    return isRenewalDue(parts, stored, nowSeconds)
      ? renew(parts, stored, cookies)
      : live(parts, stored, cookies, []);
  });
}

const nobody = { session: null, stored: null, headers: sessionCacheHeaders } as const;

function renew(parts: VisitParts, stored: StoredSession, cookies: Cookies): Awaitable<OpenVisit> {
  return andThen(parts.sessions.renew(stored, cookies), (renewed) =>
    renewed === null
      ? dead(parts, cookies, "elsewhere")
      : live(parts, renewed.session, cookies, renewed.setCookies),
  );
}

function dead({ sessions }: VisitParts, cookies: Cookies, ended: EndReason): Awaitable<OpenVisit> {
  return andThen(sessions.storage.remove(cookies), (cleared) => ({
    session: null,
    stored: null,
    ended,
    cookies,
    headers: headersWith(cleared),
  }));
}

/** A live visit: the session, and the cookies that its answer sets. */
export function live(
  { lifetime }: Pick<VisitParts, "lifetime">,
  stored: StoredSession,
  cookies: Cookies,
  setCookies: readonly string[],
): OpenVisit {
  const session = { ...stored.data, times: timesOf(stored.header, lifetime) };
  return { session, stored, cookies, headers: headersWith(setCookies) };
}

function isRenewalDue(parts: VisitParts, { header }: StoredSession, nowSeconds: number): boolean {
  return parts.rolling && nowSeconds - header.uat >= parts.renewAfter;
}

function headersWith(setCookies: readonly string[]): HeaderList {
  return [...sessionCacheHeaders, ...cookieHeaders(setCookies)];
}
