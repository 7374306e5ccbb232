import {
  applyFailure,
  applyResponse,
  type CachedSession,
  type SessionResponse,
} from "./cached-session.ts";
import { type Channel, type KnownUser, NOBODY } from "./browser/channel.ts";
import type { Claims } from "./claims.ts";
import type { Clock } from "./browser/clock.ts";
import type { Get } from "./fetch-session.ts";
import type { Page } from "./browser/page.ts";
import type { RequestError } from "./request-error.ts";
import type { SessionState } from "./session-state.ts";

/** Everything that changes during the life of a session client, and what it works with. */
export interface ClientState {
  readonly clock: Clock;
  readonly page: Page;
  readonly random: () => number;
  readonly get: Get;
  readonly listeners: Set<() => void>;
  cached: CachedSession;
  /** Refetch no later than this, in device milliseconds; `Infinity` where nothing is pending. */
  refetchBy: number;
  /** Refetch no earlier than this, in device milliseconds. */
  notBefore: number;
  /** Held by the tab of this browser that extends the session. */
  readonly extendLock: string;
  /** When another tab has told that it has, in device milliseconds. */
  extendedElsewhereAt: number;
  /** The requests that are under way. */
  refetching?: Promise<boolean> | undefined;
  extending?: Promise<boolean> | undefined;
  cancelTimer?: (() => void) | undefined;
  /** Open while somebody is subscribed. */
  channel?: Channel | undefined;
  lastError?: RequestError | undefined;
  /** The `sub` of the person who was signed in when the page went into the back/forward cache. */
  subWhenCached?: string | undefined;
}

/** A sign-out or sign-in in another tab is looked for after this time. */
export const settleMs = 1_000;

/** Replaces what is known, and tells the listeners where the state is another one. */
export function setCached(client: ClientState, cached: CachedSession): void {
  const before = client.cached.state;
  client.cached = cached;
  if (cached.state !== before) for (const changed of client.listeners) changed();
}

/** Ignores a response older than what is known; unless the device's clock was put back. */
export function receiveResponse(client: ClientState, response: SessionResponse): void {
  const { requestedAt } = client.cached;
  if (response.requestedAt < requestedAt && requestedAt <= client.clock.now()) return;
  clearPendingRefetch(client, response.requestedAt);
  setCached(client, applyResponse(client.cached, response));
}

export function receiveFailure(client: ClientState, error: RequestError, sentAt: number): void {
  clearPendingRefetch(client, sentAt);
  setCached(client, applyFailure(client.cached, error, client.clock.now()));
  client.lastError = error;
}

/**
 * A pending refetch is done by a request that was sent after it became pending, or shortly before.
 */
function clearPendingRefetch(client: ClientState, sentAt: number): void {
  if (client.refetchBy <= sentAt + settleMs) client.refetchBy = Infinity;
}

/** Who is signed in as far as this tab knows; `null` while it does not know. */
export function knownUser(state: SessionState<Claims>): KnownUser | null {
  if (state.status === "loading") return null;
  if (state.status === "signed-out") return NOBODY;
  return { sub: state.user.sub, absoluteEndsAt: state.times.absoluteEndsAt };
}

/**
 * Another person, or another sign-in of the same: then the absolute end differs, where both tabs
 * know it.
 */
export function differs(state: SessionState<Claims>, theirs: KnownUser): boolean {
  const ours = knownUser(state);
  if (ours === null) return false;
  if (ours.sub !== theirs.sub) return true;
  const isKnown = ours.absoluteEndsAt !== null && theirs.absoluteEndsAt !== null;
  return isKnown && ours.absoluteEndsAt !== theirs.absoluteEndsAt;
}
