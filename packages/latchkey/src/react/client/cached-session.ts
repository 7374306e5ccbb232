import type { Claims } from "./claims.ts";
import { textClaim } from "./text-claim.ts";
import type { Clock } from "./browser/clock.ts";
import type { RequestError } from "./request-error.ts";
import type { InitialSession, Org, SessionState, SessionTimes } from "./session-state.ts";
import { nextCheckAt, timesFromWire, UNKNOWN_TIMES } from "./session-times.ts";
import type { EndReason, Names, PeekResult } from "./wire.ts";

/** What one tab knows, and since when. Plain data; the functions here compute the next value. */
export interface CachedSession {
  readonly state: SessionState<Claims>;
  /** When the request for it was sent, in device milliseconds; -Infinity for never. */
  readonly requestedAt: number;
  /** The server's clock when it responded, in epoch seconds; -Infinity for never. */
  readonly lastResponseAt: number;
  /** The server's clock minus the device's, in seconds. */
  readonly clockOffset: number;
  /** How many requests in a row have failed. */
  readonly failureCount: number;
  /** When the last of them failed, in device milliseconds. */
  readonly lastFailureAt: number;
}

/** The server's answer about this browser. Tabs share it. */
export interface SessionResponse {
  readonly peek: PeekResult;
  readonly user: Claims | null;
  /** When the request was sent, in device milliseconds. */
  readonly requestedAt: number;
  /** The server's clock minus the device's, in seconds. */
  readonly clockOffset: number;
}

export const LOADING: SessionState<Claims> = { status: "loading", user: null };
const SIGNED_OUT: SessionState<Claims> = { status: "signed-out", user: null };

const nothingKnown: CachedSession = {
  state: LOADING,
  requestedAt: -Infinity,
  lastResponseAt: -Infinity,
  clockOffset: 0,
  failureCount: 0,
  lastFailureAt: -Infinity,
};

/** While the tab is visible, the client polls at least this often. */
const pollMs = 60_000;

/** Returns what is known before any request. `undefined`: nothing. `null`: no user is signed in. */
export function initialCache(
  initial: InitialSession<Claims> | null | undefined,
  clock: Clock,
): CachedSession {
  // A page rendered without a session may be shared by all users: it has no time.
  if (initial === undefined) return nothingKnown;
  const deviceMs = clock.now();
  const known = { ...nothingKnown, requestedAt: deviceMs };
  if (initial === null) return { ...known, state: SIGNED_OUT };
  if ("ended" in initial) return { ...known, state: endedState(initial.ended) };
  const { user, times } = initial;
  if (!times) return { ...nothingKnown, state: signedInState(user, UNKNOWN_TIMES) };
  const state = signedInState(user, timesFromWire(times, UNKNOWN_TIMES), initial);
  const clockOffset = initial.now - deviceMs / 1000;
  return { ...known, state, lastResponseAt: initial.now, clockOffset };
}

/** Applies a response. */
export function applyResponse(
  { state }: CachedSession,
  { peek, user, requestedAt, clockOffset }: SessionResponse,
): CachedSession {
  const next = keepIdentity(state, nextState(state, peek, user));
  return { ...nothingKnown, state: next, requestedAt, lastResponseAt: peek.now, clockOffset };
}

/**
 * Applies a failed request. A known user stays known. While loading, the first failure is not
 * shown.
 */
export function applyFailure(
  cached: CachedSession,
  error: RequestError,
  deviceMs: number,
): CachedSession {
  const failureCount = cached.failureCount + 1;
  let { state } = cached;
  if (state.status === "signed-in") state = { ...state, stale: true };
  else if (state.status === "loading" && failureCount > 1 && !state.error)
    state = { ...state, error };
  return { ...cached, state, failureCount, lastFailureAt: deviceMs };
}

/**
 * Returns when to refetch without another cause, in device milliseconds; `Infinity` after a
 * sign-out.
 */
export function nextRefetchAt(cached: CachedSession, visible: boolean, nowMs: number): number {
  const { state, requestedAt, lastResponseAt, clockOffset, failureCount, lastFailureAt } = cached;
  if (state.status === "signed-out") return Infinity;
  if (failureCount > 0)
    return visible ? lastFailureAt + Math.min(pollMs, 250 * 2 ** failureCount) : Infinity;
  if (requestedAt > nowMs) return nowMs;
  const poll = visible || requestedAt === -Infinity ? requestedAt + pollMs : Infinity;
  if (state.status !== "signed-in") return poll;
  return Math.min(poll, (nextCheckAt(state.times, lastResponseAt) - clockOffset) * 1000);
}

function nextState(
  before: SessionState<Claims>,
  peek: PeekResult,
  user: Claims | null,
): SessionState<Claims> {
  if (peek.state === "signed-in" && user) {
    const times = before.status === "signed-in" ? before.times : UNKNOWN_TIMES;
    return signedInState(user, timesFromWire(peek, times), peek);
  }
  if (peek.state === "ended") return endedState(peek.reason);
  // The cookie is gone, but the reason may be known or follow from the times.
  if (before.status === "signed-out" && before.ended) return before;
  const reason = before.status === "signed-in" && lapseReason(before.times, peek.now);
  return reason ? endedState(reason) : SIGNED_OUT;
}

/** Returns which end had passed at `now`. */
function lapseReason({ endsAt, absoluteEndsAt }: SessionTimes, now: number): EndReason | null {
  if (endsAt === null || now < endsAt) return null;
  return absoluteEndsAt !== null && now >= absoluteEndsAt ? "max-age" : "idle";
}

function endedState(reason: EndReason): SessionState<Claims> {
  return { status: "signed-out", user: null, ended: reason };
}

function signedInState(
  user: Claims,
  times: SessionTimes,
  { connection, label, identity }: Names = {},
): SessionState<Claims> {
  const [id, name] = [user.org_id, user.org_name].map(textClaim);
  const org: Org | undefined = id ? { id, ...(name && { name }) } : undefined;
  const names = connection && { connection, label, identity };
  return { status: "signed-in", user, ...(org && { org }), times, stale: false, ...names };
}

/** Keeps the objects of unchanged values, so React does not render again. */
function keepIdentity(
  before: SessionState<Claims>,
  next: SessionState<Claims>,
): SessionState<Claims> {
  if (isEqual(before, next)) return before;
  if (next.status === "signed-in" && before.user && isEqual(before.user, next.user))
    return { ...next, user: before.user };
  return next;
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
