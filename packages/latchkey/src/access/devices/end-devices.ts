import type { Context } from "../../context.ts";
import type { FoundSession, UserSessions } from "../../session/user-sessions.ts";
import type { Exchange } from "../exchange.ts";
import { revokeTokens } from "../revoke-tokens.ts";
import { endSession } from "../save-session.ts";
import { type Device, deviceOf } from "./device.ts";
import { activeSessions, isCurrent, type Owner, ownerOf } from "./owner.ts";

/** Which of a user's sign-ins to end: those in other browsers, or all of them. */
export type WhichDevices = "others" | "all";

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
