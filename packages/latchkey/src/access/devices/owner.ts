import { type Context, nowSeconds } from "../../context.ts";
import { decide } from "../../session/read-session.ts";
import type { StoredSession } from "../../session/session.ts";
import type { FoundSession, UserSessions } from "../../session/user-sessions.ts";
import type { Exchange } from "../exchange.ts";

/** A signed-in user, and what they can do with their sign-ins. */
export interface Owner {
  readonly context: Context;
  readonly exchange: Exchange;
  readonly stored: StoredSession;
  readonly subTag: string;
}

/** The user of a request; `null` where nobody is signed in. */
export async function ownerOf(context: Context, exchange: Exchange): Promise<Owner | null> {
  const result = await exchange.use();
  if (result.state !== "active") return null;
  const { stored } = result;
  return { context, exchange, stored, subTag: stored.header.subTag ?? "" };
}

/** The user's sessions that are active, in the order in which they are shown. */
export async function activeSessions(
  owner: Owner,
  userSessions: UserSessions,
): Promise<readonly FoundSession[]> {
  const { lifetime } = owner.context.config.session;
  const now = nowSeconds(owner.context);
  const found = await userSessions.list(owner.subTag);
  const rank = (each: FoundSession) => (isCurrent(owner, each) ? 1 : 0);
  return found
    .filter((each) => decide(each, lifetime, now).state === "active")
    .toSorted(
      (one, other) =>
        rank(other) - rank(one) ||
        other.stored.header.uat - one.stored.header.uat ||
        other.stored.header.iat - one.stored.header.iat,
    );
}

export function isCurrent({ stored }: Owner, found: FoundSession): boolean {
  return found.stored.header.id !== undefined && found.stored.header.id === stored.header.id;
}
