/** What a response does to the cookies of a session (decisions 0045 and 0129). */
import { nowSeconds } from "../config/runtime.ts";
import type { Context } from "../context.ts";
import { oneLine } from "../errors/one-line.ts";
import type { Cookies } from "../http/cookies.ts";
import type { CommittedSession } from "../session/device-binding.ts";
import { type Former, withFormerRemoved } from "../session/former-session.ts";
import { isRenewalDue, latestTimes } from "../session/lifetime.ts";
import type { SessionReader, SessionResult } from "../session/read-session.ts";
import type { RecentSessions } from "../session/recent-sessions.ts";
import type { StoredSession } from "../session/session.ts";
import { carriedSessionId, logEnd } from "./log-end.ts";

/**
 * What has become of a session, and the cookies of it, if this request has written or cleared them.
 */
export interface Outcome {
  readonly result: SessionResult;
  readonly written: readonly string[] | null;
  /** Whether it was found in the cookies of a former library. */
  readonly isMoving?: boolean;
}

/** The cookies of a request, and what a former library has left there. */
export interface Carried {
  readonly cookies: Cookies;
  readonly former: Former;
}

/**
 * A fault must not cost the response: the session in hand is good, and is renewed by the next
 * request.
 */
export function commitOutcome(
  context: Context,
  carried: Carried,
  outcome: Outcome,
): CommittedSession {
  try {
    const newest = newestCookies(context, carried.cookies, outcome);
    if (newest === null) return { setCookies: [] };
    return { ...newest, setCookies: withFormerRemoved(carried.former, newest.setCookies) };
  } catch (error) {
    const message = oneLine(`A session could not be renewed: ${String(error)}`);
    context.log({ event: "warning", message });
    return { setCookies: outcome.written ?? [] };
  }
}

/** What becomes of the cookies of a session; `null` if the browser keeps what it has. */
function newestCookies(
  context: Context,
  cookies: Cookies,
  { result, written, isMoving = false }: Outcome,
): CommittedSession | null {
  if (isOvertaken(context, cookies, result)) return null;
  switch (result.state) {
    case "active":
      return written === null
        ? renewIfDue(context, cookies, { stored: result.stored, isMoving })
        : { setCookies: written, stored: result.stored };
    case "ended":
      return { setCookies: endedCookies(context, cookies, result) };
    default:
      return written && { setCookies: written };
  }
}

/**
 * Whether another request has refreshed, updated or replaced the session meanwhile: what was read
 * before must not be written over that.
 */
function isOvertaken(
  { recent, reader }: { readonly recent: RecentSessions; readonly reader: SessionReader },
  cookies: Cookies,
  result: SessionResult,
): boolean {
  switch (result.state) {
    case "active": {
      const { stored } = result;
      return recent.endingOf(stored.header.id) !== null || recent.isOutdated(stored);
    }
    case "ended": {
      const id = result.stored?.header.id ?? carriedSessionId(reader, cookies);
      return recent.endingOf(id) === "replaced";
    }
    default:
      return false;
  }
}

/** A session that moves here, is due for renewal or has proved its device is written. */
function renewIfDue(
  context: Context,
  cookies: Cookies,
  { stored, isMoving }: { readonly stored: StoredSession; readonly isMoving: boolean },
): CommittedSession {
  const { reader, sessions, config, connections } = context;
  const { header } = stored;
  const now = nowSeconds(context);
  const { lifetime } = connections.ofSession(header);
  const { renewAfter } = config.session;
  const isDue =
    isMoving ||
    isRenewalDue(header, { lifetime, renewAfter }, now) ||
    reader.device?.isNewlyProved(header, cookies, now) === true;
  if (!isDue) return { setCookies: [] };
  const renewed = sessions.renew(stored, cookies);
  // The guard of the store has logged it.
  renewed.saved.catch(() => undefined);
  return renewed;
}

/** Logs the end of a session, and clears its cookies. */
function endedCookies(context: Context, cookies: Cookies, ended: EndedSession): readonly string[] {
  logEnd(context, cookies, ended);
  return isLeftToBrowser(context, ended) ? [] : context.sessions.clear(cookies);
}

type EndedSession = Extract<SessionResult, { state: "ended" }>;

/**
 * A browser removes a cookie when its session has surely expired. If it sends one later, a clock is
 * wrong, perhaps for a moment: the session goes on when the clock is right again.
 */
function isLeftToBrowser(context: Context, { reason, stored }: EndedSession): boolean {
  if (stored === null || reason === "elsewhere" || reason === "unreadable") return false;
  const { header, sealedTimes } = stored;
  const { transient } = context.config.session;
  const isPersistent = !transient && header.shared !== true;
  const { lifetime } = context.connections.ofSession(header);
  const latest = latestTimes({ ...header, ...sealedTimes }, lifetime);
  return isPersistent && nowSeconds(context) >= latest.exp;
}
