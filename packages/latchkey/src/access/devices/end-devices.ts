import type { Context } from "../../context.ts";
import { withDevice } from "../../session/activity/activity-entry.ts";
import { deviceTraceIn } from "../../session/device.ts";
import type { FoundSession } from "../../session/user-sessions.ts";
import type { Exchange } from "../exchange.ts";
import { revokeTokens } from "../ends/revoke-tokens.ts";
import { endSession } from "../save-session.ts";
import { type Device, deviceOf } from "./list-devices.ts";
import { finishWhenDue } from "./finish-ends.ts";
import {
  activeSessions,
  changeableSessions,
  isCurrent,
  isEnding,
  type Owner,
  ownerOf,
} from "./owner.ts";

/** Which of a user's sign-ins to end: those in other browsers, or all of them. */
export type WhichDevices = "others" | "all";

/** When sign-ins in other browsers end. */
export interface WhenToEnd {
  /**
   * Seconds during which the person may take it back; 0 by default, at most 60. The end is kept in the store, so that
   * it comes whatever becomes of this process.
   */
  readonly afterSeconds?: number;
}

const longestWaitSeconds = 60;

/** One of a user's sign-ins, or all but that of this request. */
type Which =
  | { readonly reason: "device"; readonly id: string }
  | { readonly reason: "others"; readonly id?: undefined };

/** See `RequestAuth.endDevice` and `endDevices`. What was ended before a fault of the store stays ended. */
export async function endDevices(
  context: Context,
  exchange: Exchange,
  { reason, id }: Which,
  { afterSeconds = 0 }: WhenToEnd = {},
): Promise<readonly Device[] | null> {
  checkWait(afterSeconds);
  exchange.checkOpen();
  if (context.userSessions === null) return null;
  const owner = await ownerOf(context, exchange);
  if (owner === null) return [];
  const isMeant = (each: FoundSession) =>
    reason === "others" ? !isCurrent(owner, each) : each.stored.header.id === id;
  const sessions = (await changeableSessions(owner)).filter(isMeant);
  return endEach(owner, sessions, { reason, afterSeconds });
}

/** See `RequestAuth.endDevices`: also those that nobody can list. */
export async function endAllDevices(
  context: Context,
  exchange: Exchange,
): Promise<readonly Device[] | null> {
  const { ended, userSessions, log } = context;
  exchange.checkOpen();
  if (ended === null) return null;
  const owner = await ownerOf(context, exchange);
  if (owner === null) return [];
  const found = await activeSessions(owner);
  if (isEnding(owner, found)) {
    const own = found.filter((each) => isCurrent(owner, each));
    return endEach(owner, own, { reason: "device", afterSeconds: 0 });
  }
  // The mark comes first: it also ends what is signed in while the list is read.
  await ended.endUser(owner.subTag);
  await userSessions?.remove(found);
  await endSession(context, exchange);
  for (const { stored } of found) revokeTokens(context, stored);
  if (userSessions === null) revokeTokens(context, owner.stored);
  const { data, header } = owner.stored;
  log({ event: "sign-out", reason: "all", sub: data.user.sub, cause: header.id });
  return found.map((each) => deviceOf(owner, each));
}

async function endEach(
  owner: Owner,
  sessions: readonly FoundSession[],
  { reason, afterSeconds }: { readonly reason: Which["reason"]; readonly afterSeconds: number },
): Promise<readonly Device[]> {
  const { context, subTag } = owner;
  const ended: Device[] = [];
  const at = Math.ceil(context.clock() / 1000) + afterSeconds;
  for (const each of sessions) {
    const isLater = afterSeconds > 0 && !isCurrent(owner, each);
    const end = isLater ? endLater(owner, each, at) : endOne(owner, each);
    // oxlint-disable-next-line no-await-in-loop -- what was ended before a fault is told one by one
    const found = await end;
    if (found === null) continue;
    logEnd(owner, reason, found);
    ended.push(deviceOf(owner, found));
  }
  if (afterSeconds > 0) finishWhenDue(context, { subTag, at });
  return ended;
}

function checkWait(seconds: number): void {
  if (Number.isInteger(seconds) && seconds >= 0 && seconds <= longestWaitSeconds) return;
  throw new TypeError(`afterSeconds must be a whole number from 0 to ${longestWaitSeconds}.`);
}

async function endOne(owner: Owner, found: FoundSession): Promise<FoundSession> {
  const { context, exchange } = owner;
  const { id } = found.stored.header;
  if (isCurrent(owner, found)) await endSession(context, exchange);
  else {
    await context.ended?.endSession(id);
    await context.userSessions?.remove([found]);
  }
  revokeTokens(context, found.stored);
  return { ...found, laterEnd: null };
}

/** `null` where its end was asked for before. */
async function endLater(
  { context, stored }: Owner,
  found: FoundSession,
  at: number,
): Promise<FoundSession | null> {
  const { id } = found.stored.header;
  const laterEnd = { at, by: stored.header.id };
  const isNew = await context.ended?.endSessionLater(id, laterEnd);
  return isNew === true ? { ...found, laterEnd } : null;
}

function logEnd(owner: Owner, reason: Which["reason"], { stored, laterEnd }: FoundSession): void {
  const { context, subTag } = owner;
  const { id: session } = stored.header;
  const { sub } = stored.data.user;
  const cause = owner.stored.header.id;
  const effectiveAt = laterEnd?.at;
  context.log({ event: "sign-out", reason, sub, session, cause, effectiveAt });
  // Its sign-in may be told no more.
  context.activity?.change(subTag, (entries) =>
    withDevice(entries, session, (device) => device ?? deviceTraceIn(stored.data.device)),
  );
}
