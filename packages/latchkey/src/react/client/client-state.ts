import {
  applyFailure,
  applyResponse,
  type CachedSession,
  type SessionResponse,
} from "./cached-session.ts";
import { type Channel, type KnownUser, NO_USER } from "./browser/channel.ts";
import type { Claims } from "./claims.ts";
import type { Clock } from "./browser/clock.ts";
import type { Get } from "./fetch-session.ts";
import type { Page } from "./browser/page.ts";
import type { RequestError } from "./request-error.ts";
import type { SessionState } from "./session-state.ts";

/** The state of a session client, and its dependencies. */
export interface ClientState {
  readonly clock: Clock;
  readonly page: Page;
  readonly random: () => number;
  readonly get: Get;
  readonly listeners: Set<() => void>;
  cached: CachedSession;
  /** Refetch no later than this, in device milliseconds; `Infinity` if nothing is pending. */
  refetchBy: number;
  /** Refetch no earlier than this, in device milliseconds. */
  notBefore: number;
  /** Held by the tab extending the session. */
  readonly extendLock: string;
  /** When another tab last extended the session, in device milliseconds. */
  extendedElsewhereAt: number;
  /** The requests in flight. */
  refetching?: Promise<boolean> | undefined;
  extending?: Promise<boolean> | undefined;
  cancelTimer?: (() => void) | undefined;
  /** Open while the client has subscribers. */
  channel?: Channel | undefined;
  /** Starts to follow the end of the session, if the server has streams. */
  readonly follow: () => (() => void) | undefined;
  /** Set while the end of the session is followed. */
  unfollow?: (() => void) | undefined;
  lastError?: RequestError | undefined;
  /** The `sub` of the signed-in user when the page went into the back/forward cache. */
  subWhenCached?: string | undefined;
}

/** The delay before this tab looks for a sign-out or sign-in in another tab. */
export const settleMs = 1_000;

/** Replaces what is known, and calls the listeners if the state has changed. */
export function setCached(client: ClientState, cached: CachedSession): void {
  const before = client.cached.state;
  client.cached = cached;
  if (cached.state === before) return;
  followIfSignedIn(client);
  for (const changed of client.listeners) changed();
}

/** Follows the end of the session while a user is signed in and the client has subscribers. */
export function followIfSignedIn(client: ClientState): void {
  if (client.channel && client.cached.state.status === "signed-in")
    client.unfollow ??= client.follow();
  else {
    client.unfollow?.();
    client.unfollow = undefined;
  }
}

/**
 * Applies a response, unless it is older than what is known. After the device's clock was put back,
 * every response counts.
 */
export function receiveResponse(client: ClientState, response: SessionResponse): void {
  const { requestedAt } = client.cached;
  if (response.requestedAt < requestedAt && requestedAt <= client.clock.now()) return;
  dropPendingRefetch(client, response.requestedAt);
  setCached(client, applyResponse(client.cached, response));
}

export function receiveFailure(client: ClientState, error: RequestError, sentAt: number): void {
  dropPendingRefetch(client, sentAt);
  setCached(client, applyFailure(client.cached, error, client.clock.now()));
  client.lastError = error;
}

/** Drops a pending refetch if this request was sent after it became pending, or shortly before. */
function dropPendingRefetch(client: ClientState, sentAt: number): void {
  if (client.refetchBy <= sentAt + settleMs) client.refetchBy = Infinity;
}

/** Returns the signed-in user as far as this tab knows; `null` while it does not know. */
export function knownUser(state: SessionState<Claims>): KnownUser | null {
  if (state.status === "loading") return null;
  if (state.status === "signed-out") return NO_USER;
  return { sub: state.user.sub, absoluteEndsAt: state.times.absoluteEndsAt };
}

/** Detects another user, or another sign-in of the same user, which has another absolute end. */
export function isOtherSignIn(state: SessionState<Claims>, theirs: KnownUser): boolean {
  const ours = knownUser(state);
  if (ours === null) return false;
  if (ours.sub !== theirs.sub) return true;
  const isKnown = ours.absoluteEndsAt !== null && theirs.absoluteEndsAt !== null;
  return isKnown && ours.absoluteEndsAt !== theirs.absoluteEndsAt;
}
