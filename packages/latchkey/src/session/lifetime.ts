import type { Config, SessionLifetime } from "../config/config.ts";
import { sharedRollingSeconds } from "../config/constants.ts";
import type { SealedNames } from "../config/sealed-names.ts";
import type { Session, SessionHeader, SessionTimes, StoredSession } from "./session.ts";

/** The durations for sessions with this header: those of their connection, if these are shorter. */
export type LifetimeOf = (names: SealedNames) => SessionLifetime;

type Times = Pick<SessionHeader, "uat" | "iat" | "exp" | "shared" | "sessionExpiry">;

/** The durations of one session: on a shared computer it lives no longer than that allows. */
function lifetimeOf({ shared }: Pick<Times, "shared">, lifetime: SessionLifetime): SessionLifetime {
  if (shared !== true) return lifetime;
  return { ...lifetime, rolling: Math.min(lifetime.rolling ?? Infinity, sharedRollingSeconds) };
}

/**
 * The end of a session however often it is used, in epoch seconds: that of the settings, or the
 * earlier one of the provider.
 */
function absoluteEndOf(
  { iat, sessionExpiry = Number.POSITIVE_INFINITY }: Pick<Times, "iat" | "sessionExpiry">,
  { absolute }: SessionLifetime,
): number {
  return Math.min(iat + (absolute ?? Number.POSITIVE_INFINITY), sessionExpiry);
}

/** The end of a session created at `iat` and last used at `uat`, in epoch seconds. */
export function endOf(times: Omit<Times, "exp">, settings: SessionLifetime): number {
  const lifetime = lifetimeOf(times, settings);
  const idleEnd = times.uat + (lifetime.rolling ?? Number.POSITIVE_INFINITY);
  return Math.min(idleEnd, absoluteEndOf(times, lifetime));
}

/**
 * Why a session is over at `nowSeconds`, or `null` while it lives: it lives while now is before
 * the end it was written with, both ends of today's settings, and the end of the provider. So
 * shorter durations take effect on existing sessions, longer ones do not.
 */
export function expiryOf(
  times: Times,
  settings: SessionLifetime,
  nowSeconds: number,
): "idle" | "max-age" | null {
  const lifetime = lifetimeOf(times, settings);
  if (nowSeconds >= absoluteEndOf(times, lifetime)) return "max-age";
  if (lifetime.rolling !== null && nowSeconds >= times.uat + lifetime.rolling) return "idle";
  return nowSeconds >= times.exp ? "idle" : null;
}

/**
 * The times of a session used now: `iat` stays, both others move, but for an end that stays as
 * written.
 */
export function renewedTimes(
  times: Pick<Times, "iat" | "shared" | "sessionExpiry"> & Partial<Pick<Times, "exp">>,
  lifetime: SessionLifetime,
  nowSeconds: number,
): Pick<Times, "uat" | "iat" | "exp"> {
  const { iat, exp } = times;
  const end = endOf({ ...times, uat: nowSeconds }, lifetime);
  const isMoved = exp === undefined || lifetime.endsAsWritten !== true;
  return { uat: nowSeconds, iat, exp: isMoved ? end : Math.min(exp, end) };
}

/** In seconds: the short time without use of a shared computer counts from the last minute. */
const sharedRenewAfter = 60;

/** Whether a use renews a session: if sessions roll, and the last renewal is long enough ago. */
export function isRenewalDue(
  { uat, shared }: Pick<Times, "uat" | "shared">,
  { lifetime, renewAfter }: Pick<Config["session"], "lifetime" | "renewAfter">,
  nowSeconds: number,
): boolean {
  if (shared === true) return nowSeconds - uat >= Math.min(renewAfter, sharedRenewAfter);
  const { rolling } = lifetime;
  if (rolling === null) return false;
  // The time without use of a connection may be shorter than the one that suits the app.
  return nowSeconds - uat >= (renewAfter < rolling ? renewAfter : rolling / 2);
}

/** Seconds after which the time of last use is sealed into the session again, at most. */
export const resealSeconds = 3600;

/**
 * By how many seconds the time of last use in a session may lag behind: a small cookie has the
 * newest one (decision 0129).
 */
function longestLag(times: Pick<Times, "shared">, settings: SessionLifetime): number {
  const { rolling } = lifetimeOf(times, settings);
  return rolling === null ? 0 : Math.min(resealSeconds, Math.floor(rolling / 10));
}

/** Whether a session was sealed lately, with these times: then the small cookie has its uses. */
export function isSealedLately(
  times: Pick<Times, "uat" | "shared">,
  settings: SessionLifetime,
  nowSeconds: number,
): boolean {
  return nowSeconds - times.uat < longestLag(times, settings);
}

/** The latest times that a session may have by its small cookie, if it was sealed with these. */
export function latestTimes(
  times: Times,
  settings: SessionLifetime,
): Pick<Times, "uat" | "iat" | "exp"> {
  const { uat, iat, exp } = times;
  const lag = longestLag(times, settings);
  const absoluteEnd = absoluteEndOf(times, settings);
  return { uat: uat + lag, iat, exp: Math.max(exp, Math.min(exp + lag, absoluteEnd)) };
}

/** The longest life of a session, in seconds. */
export function longestLife({ rolling, absolute }: SessionLifetime): number {
  const unbounded = 400 * 86_400;
  return absolute ?? Math.max(rolling ?? 0, unbounded);
}

/**
 * When a session and all copies of it end at the latest, however often they are used, and whatever
 * the provider says of its end later; in epoch seconds.
 */
export function latestEnd({ iat }: Pick<Times, "iat">, lifetime: SessionLifetime): number {
  return iat + longestLife(lifetime);
}

/**
 * How long the end of a session must be remembered, in seconds: a marked session is never
 * renewed, so it ends by itself after this time.
 */
export function markLife(lifetime: SessionLifetime): number {
  return Math.min(lifetime.rolling ?? Number.POSITIVE_INFINITY, longestLife(lifetime));
}

/** The times of a session, as an app sees them. */
export function timesOf(
  header: Times & Pick<SessionHeader, "started">,
  settings: SessionLifetime,
): SessionTimes {
  const { uat, iat, exp, started, shared } = header;
  const lifetime = lifetimeOf(header, settings);
  const absoluteEnd = absoluteEndOf(header, lifetime);
  return {
    startedAt: started === undefined ? iat : Math.floor(started / 1000),
    createdAt: iat,
    updatedAt: uat,
    rollingEndsAt: lifetime.rolling === null ? null : uat + lifetime.rolling,
    absoluteEndsAt: absoluteEnd === Number.POSITIVE_INFINITY ? null : absoluteEnd,
    endsAt: Math.min(exp, endOf(header, lifetime)),
    ...(shared === true ? { shared } : {}),
  };
}

/** Returns a session as an app sees it. */
export function toSession({ header, data }: StoredSession, lifetime: SessionLifetime): Session {
  return { ...data, times: timesOf(header, lifetime) };
}
