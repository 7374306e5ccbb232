import type { SessionLifetime } from "../config/config.ts";
import type { Context } from "../context.ts";
import { nowSeconds } from "../config/runtime.ts";
import { latestTimes } from "../session/lifetime.ts";
import { activeSession, decide } from "../session/read-session.ts";
import type { StoredSession } from "../session/session.ts";
import type { SessionInStore } from "../session/user-sessions.ts";
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
export async function activeSessions(owner: Owner): Promise<readonly SessionInStore[]> {
  const { context } = owner;
  const now = nowSeconds(context);
  const found = await admittedSessions(owner);
  const isActive = (each: SessionInStore) =>
    decide(each, lifetimeOf(context, each), now).state === "active";
  const rank = (each: SessionInStore) => (isCurrent(owner, each) ? 1 : 0);
  return found
    .flatMap((each) => [each, usedLatest(context, each)].find(isActive) ?? [])
    .toSorted(
      (one, other) => rank(other) - rank(one) || other.stored.header.uat - one.stored.header.uat,
    );
}

/** Those of all sites and connections with this client, as far as they are here. */
async function admittedSessions({ context, subTag }: Owner): Promise<readonly SessionInStore[]> {
  const found = (await context.sessions.ofUsers?.list(subTag)) ?? [];
  const reasons = await Promise.all(
    found.map(async ({ stored }) => context.reader.noConnectionOf(stored.header)),
  );
  return found.filter((_, place) => reasons[place] === null);
}

function lifetimeOf({ connections }: Context, { stored }: SessionInStore): SessionLifetime {
  return connections.ofSession(stored.header).lifetime;
}

/** A browser may know of a later use than the record: such a session must not leave the list. */
function usedLatest(context: Context, found: SessionInStore): SessionInStore {
  const { header } = found.stored;
  const latest = latestTimes(header, lifetimeOf(context, found));
  const stored = { ...found.stored, header: { ...header, ...latest } };
  return { ...found, stored };
}

export function isCurrent({ stored }: Owner, found: SessionInStore): boolean {
  return found.stored.header.id === stored.header.id;
}
