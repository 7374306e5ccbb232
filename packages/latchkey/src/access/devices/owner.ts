import { type Context, nowSeconds } from "../../context.ts";
import { activeSession, decide } from "../../session/read-session.ts";
import type { StoredSession } from "../../session/session.ts";
import type { FoundSession } from "../../session/user-sessions.ts";
import type { Exchange } from "../exchange.ts";
import { finishEnds } from "./finish-ends.ts";

/** A signed-in user, and what they can do with their sign-ins. */
export interface Owner {
  readonly context: Context;
  readonly exchange: Exchange;
  readonly stored: StoredSession;
  readonly subTag: string;
}

/** The user of a request; `null` where nobody is signed in. */
export async function ownerOf(context: Context, exchange: Exchange): Promise<Owner | null> {
  const stored = activeSession(await exchange.use());
  return stored && { context, exchange, stored, subTag: stored.header.subTag };
}

/** The user's sessions that are active, in the order in which they are shown; none where they cannot be listed. */
export async function activeSessions(owner: Owner): Promise<readonly FoundSession[]> {
  const { context } = owner;
  const { lifetime } = context.config.session;
  const now = nowSeconds(context);
  const found = (await context.userSessions?.list(owner.subTag)) ?? [];
  finishEnds(context, found);
  const rank = (each: FoundSession) => (isCurrent(owner, each) ? 1 : 0);
  return found
    .filter((each) => decide(each, lifetime, now).state === "active")
    .toSorted(
      (one, other) => rank(other) - rank(one) || other.stored.header.uat - one.stored.header.uat,
    );
}

/** The same for whoever wants to change them: none where this session {@link isEnding}. */
export async function changeableSessions(owner: Owner): Promise<readonly FoundSession[]> {
  const found = await activeSessions(owner);
  return isEnding(owner, found) ? [] : found;
}

/**
 * Whether the session of this request was ended from elsewhere, and goes on for the seconds in which that may be taken
 * back. It must not use them against the others.
 */
export function isEnding(owner: Owner, found: readonly FoundSession[]): boolean {
  return found.some((each) => isCurrent(owner, each) && each.laterEnd !== null);
}

export function isCurrent({ stored }: Owner, found: FoundSession): boolean {
  return found.stored.header.id === stored.header.id;
}
