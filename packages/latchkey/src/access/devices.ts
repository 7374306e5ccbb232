import { type Context, nowSeconds } from "../context.ts";
import { userAgentIn } from "../session/device.ts";
import { renewedTimes, timesOf } from "../session/lifetime.ts";
import { decide } from "../session/read-session.ts";
import type { StoredSession } from "../session/session.ts";
import type { FoundSession, UserSessions } from "../session/user-sessions.ts";
import type { Exchange } from "./exchange.ts";
import { revokeTokens } from "./revoke-tokens.ts";
import { endSession } from "./save-session.ts";

/** A browser in which a person is signed in; all times in epoch seconds. */
export interface Device {
  /** Names this sign-in; no secret, and good for nothing but to end it. */
  readonly id: string;
  /** Whether this very request comes from it. */
  readonly isCurrent: boolean;
  readonly startedAt: number;
  readonly lastUsedAt: number;
  /** Ends then without further use. */
  readonly endsAt: number;
  /** As the browser called itself at sign-in; empty where it did not. A client can send anything here. */
  readonly userAgent: string;
  /** Until then other services may accept the access token that it was given; `null` where there is none. */
  readonly accessTokenEndsAt: number | null;
}

/** Which of a user's sign-ins to end: those in other browsers, or all of them. */
export type WhichDevices = "others" | "all";

/** A signed-in user, and what they can do with their sign-ins. */
interface Owner {
  readonly context: Context;
  readonly exchange: Exchange;
  readonly stored: StoredSession;
  readonly subTag: string;
}

/**
 * Where the user of this request is signed in: this browser first, then by last use.
 *
 * @returns an empty list where nobody is signed in; `null` where sessions live in cookies: then there is no list
 * @throws {Refusal} `store_unavailable`
 */
export async function listDevices(
  context: Context,
  exchange: Exchange,
): Promise<readonly Device[] | null> {
  const { userSessions } = context;
  if (userSessions === null) return null;
  const owner = await ownerOf(context, exchange);
  if (owner === null) return [];
  const found = await activeSessions(owner, userSessions);
  return found.map((each) => deviceOf(owner, each));
}

/**
 * Ends one sign-in of the user of this request. The id of another user's, or of one that has ended, ends nothing.
 *
 * @returns those that were ended; `null` where sessions live in cookies: then none but this one can be found
 * @throws {Refusal} `store_unavailable`: what was ended before the fault stays ended
 */
export async function endDevice(
  context: Context,
  exchange: Exchange,
  id: string,
): Promise<readonly Device[] | null> {
  return endThose(context, exchange, "device", ({ stored }) => stored.header.id === id);
}

/** Ends the user's sign-ins in every browser but this one; see {@link endDevice}. */
export async function endOtherDevices(
  context: Context,
  exchange: Exchange,
): Promise<readonly Device[] | null> {
  const owner = await ownerOf(context, exchange);
  return endThose(
    context,
    exchange,
    "other-devices",
    (each) => owner === null || !isCurrent(owner, each),
  );
}

/**
 * Ends all sign-ins of the user of this request, also in this browser and also those that nobody can list.
 * Sign-ins that are started later go on.
 *
 * @returns those that were ended, as far as they can be listed; `null` where there is no store
 * @throws {Refusal} `store_unavailable`
 */
export async function endAllDevices(
  context: Context,
  exchange: Exchange,
): Promise<readonly Device[] | null> {
  const { ended, userSessions, log } = context;
  exchange.checkOpen();
  if (ended === null) return null;
  const owner = await ownerOf(context, exchange);
  if (owner === null) return [];
  const found = userSessions === null ? [] : await activeSessions(owner, userSessions);
  // The mark comes first: it also ends what is signed in while the list is read.
  await ended.endUser(owner.subTag);
  await userSessions?.remove(found.filter((each) => !isCurrent(owner, each)));
  await endSession(context, exchange);
  for (const { stored } of found) revokeTokens(context, stored);
  if (userSessions === null) revokeTokens(context, owner.stored);
  log({ event: "sign-out", reason: "all-devices", sub: owner.stored.data.user.sub });
  return found.map((each) => deviceOf(owner, each));
}

async function endThose(
  context: Context,
  exchange: Exchange,
  reason: "device" | "other-devices",
  isMeant: (found: FoundSession) => boolean,
): Promise<readonly Device[] | null> {
  const { userSessions } = context;
  exchange.checkOpen();
  if (userSessions === null) return null;
  const owner = await ownerOf(context, exchange);
  if (owner === null) return [];
  const found = (await activeSessions(owner, userSessions)).filter(isMeant);
  for (const each of found) {
    // oxlint-disable-next-line no-await-in-loop -- what was ended before a fault is told one by one
    await endOne(owner, userSessions, each);
    revokeTokens(context, each.stored);
    const { data, header } = each.stored;
    context.log({ event: "sign-out", reason, sub: data.user.sub, session: header.id });
  }
  return found.map((each) => deviceOf(owner, each));
}

async function endOne(
  owner: Owner,
  userSessions: UserSessions,
  found: FoundSession,
): Promise<void> {
  const { context, exchange } = owner;
  if (isCurrent(owner, found)) return endSession(context, exchange);
  const { id } = found.stored.header;
  if (id !== undefined) await context.ended?.endSession(id);
  await userSessions.remove([found]);
}

async function ownerOf(context: Context, exchange: Exchange): Promise<Owner | null> {
  const result = await exchange.use();
  if (result.state !== "active") return null;
  const { stored } = result;
  return { context, exchange, stored, subTag: stored.header.subTag ?? "" };
}

/** The user's sessions that are active, in the order in which they are shown. */
async function activeSessions(
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

function isCurrent({ stored }: Owner, found: FoundSession): boolean {
  return found.stored.header.id !== undefined && found.stored.header.id === stored.header.id;
}

/** This request is a use of its own session, which is written when the response leaves. */
function deviceOf(owner: Owner, found: FoundSession): Device {
  const { header, data } = found.stored;
  const { lifetime } = owner.context.config.session;
  const isOwn = isCurrent(owner, found);
  const times = isOwn ? renewedTimes(header, lifetime, nowSeconds(owner.context)) : header;
  const { startedAt, updatedAt, endsAt } = timesOf({ ...header, ...times }, lifetime);
  return {
    id: header.id ?? "",
    isCurrent: isOwn,
    startedAt,
    lastUsedAt: updatedAt,
    endsAt,
    userAgent: userAgentIn(data.device),
    accessTokenEndsAt: data.accessTokenExpiresAt ?? null,
  };
}
