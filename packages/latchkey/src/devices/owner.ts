import type { SessionLifetime } from "../config/config.ts";
import type { Context } from "../context.ts";
import { nowSeconds } from "../config/runtime.ts";
import { latestTimes } from "../session/lifetime.ts";
import { activeSession, decide } from "../session/read-session.ts";
import type { StoredSession } from "../session/session.ts";
import type { FoundSession } from "../session/user-sessions.ts";
import type { Exchange } from "../request/exchange.ts";

/** A signed-in user, and what they can do with their sign-ins. */
export interface Owner {
  readonly context: Context;
  readonly exchange: Exchange;
  readonly stored: StoredSession;
  readonly subTag: string;
}

/** The user of a request; `null` without one. */
export async function ownerOf(context: Context, exchange: Exchange): Promise<Owner | null> {
  const stored = activeSession(await exchange.use());
  return stored && { context, exchange, stored, subTag: stored.header.subTag };
}

/** The active sessions of the user, in the order of the list; none if they cannot be listed. */
export async function activeSessions(owner: Owner): Promise<readonly FoundSession[]> {
  const { context } = owner;
  const { lifetime } = context.config.session;
  const now = nowSeconds(context);
  const found = (await context.userSessions?.list(owner.subTag)) ?? [];
  const isActive = (each: FoundSession) => decide(each, lifetime, now).state === "active";
  const rank = (each: FoundSession) => (isCurrent(owner, each) ? 1 : 0);
  return found
    .flatMap((each) => [each, usedLatest(each, lifetime)].find(isActive) ?? [])
    .toSorted(
      (one, other) => rank(other) - rank(one) || other.stored.header.uat - one.stored.header.uat,
    );
}

/** A browser may know of a later use than the record: such a session must not leave the list. */
function usedLatest(found: FoundSession, lifetime: SessionLifetime): FoundSession {
  const { header } = found.stored;
  const stored = { ...found.stored, header: { ...header, ...latestTimes(header, lifetime) } };
  return { ...found, stored };
}

export function isCurrent({ stored }: Owner, found: FoundSession): boolean {
  return found.stored.header.id === stored.header.id;
}
