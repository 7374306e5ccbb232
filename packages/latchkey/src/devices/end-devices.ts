import { type Context, logOf } from "../context.ts";
import { deviceTraceIn } from "../session/device-trace.ts";
import type { SessionInStore } from "../session/user-sessions.ts";
import type { Exchange } from "../request/exchange.ts";
import { rememberLogout } from "../ends/logout-cookie.ts";
import { revokeTokens } from "../ends/revoke-tokens.ts";
import { endSession } from "../ends/end-session.ts";
import { type Device, deviceOf } from "./list-devices.ts";
import { activeSessions, isCurrent, type Owner, ownerOf } from "./owner.ts";

/** Which of a user's sign-ins to end: those in other browsers, or all of them. */
export type WhichDevices = "others" | "all";

/** One of a user's sign-ins, or all but the one of this request. */
type Which =
  | { readonly reason: "device"; readonly id: string }
  | { readonly reason: "others"; readonly id?: undefined };

/**
 * See `RequestAuth.endDevice` and `endDevices`. What was ended before a fault of the store stays
 * ended.
 */
export async function endDevices(
  context: Context,
  exchange: Exchange,
  { reason, id }: Which,
): Promise<readonly Device[] | null> {
  exchange.checkOpen();
  if (context.sessions.ofUsers === null) return null;
  const owner = await ownerOf(context, exchange);
  if (owner === null) return [];
  const isMeant = (each: SessionInStore) =>
    reason === "others" ? !isCurrent(owner, each) : each.stored.header.id === id;
  return endEach(owner, (await activeSessions(owner)).filter(isMeant), reason);
}

/** See `RequestAuth.endDevices`: also those not in the list. */
export async function endAllDevices(
  context: Context,
  exchange: Exchange,
): Promise<readonly Device[] | null> {
  exchange.checkOpen();
  if (context.ended === null) return null;
  const owner = await ownerOf(context, exchange);
  if (owner === null) return [];
  const { sessions } = await endAllSessions(owner, (otherDevices) =>
    rememberOthers(owner, otherDevices),
  );
  return sessions.map((each) => deviceOf(owner, each));
}

/**
 * Ends all sessions of a user. Needs a store.
 *
 * @param setCookies - for the response
 * @returns the sessions, as far as they are listed
 */
export async function endAllSessions(
  owner: Owner,
  setCookies: (otherDevices: number | "all") => readonly string[] = () => [],
): Promise<{
  readonly sessions: readonly SessionInStore[];
  readonly otherDevices: number | "all";
}> {
  const { context, exchange, stored, subTag } = owner;
  const { ended, sessions } = context;
  const found = await activeSessions(owner);
  // The mark comes first: it also ends what is signed in while the list is read.
  await ended?.endUser(subTag);
  await sessions.ofUsers?.remove(found);
  const others = found.filter((each) => !isCurrent(owner, each)).length;
  const otherDevices = sessions.ofUsers === null ? "all" : others;
  await endSession(context, exchange, setCookies(otherDevices));
  for (const each of found) revokeTokens(context, each.stored);
  if (sessions.ofUsers === null) revokeTokens(context, stored);
  const log = logOf(context, stored.header);
  log({ event: "sign-out", reason: "all", sub: stored.data.user.sub, cause: stored.header.id });
  return { sessions: found, otherDevices };
}

/** Facts for the page after logout. On a shared computer the provider's session must end, too. */
function rememberOthers(
  { context, stored }: Owner,
  otherDevices?: number | "all",
): readonly string[] {
  const outcome = stored.header.shared === true ? "unconfirmed" : undefined;
  return rememberLogout(context, { copiesEndBy: 0, outcome, otherDevices });
}

async function endEach(
  owner: Owner,
  sessions: readonly SessionInStore[],
  reason: Which["reason"],
): Promise<readonly Device[]> {
  const ended: Device[] = [];
  for (const each of sessions) {
    // oxlint-disable-next-line no-await-in-loop -- each end is logged before the next one may fail
    await endOne(owner, each);
    logEnd(owner, reason, each);
    ended.push(deviceOf(owner, each));
  }
  return ended;
}

async function endOne(owner: Owner, found: SessionInStore): Promise<void> {
  const { context, exchange } = owner;
  const { id } = found.stored.header;
  if (isCurrent(owner, found)) await endSession(context, exchange, rememberOthers(owner));
  else {
    await context.ended?.endSession(id);
    await context.sessions.ofUsers?.remove([found]);
  }
  revokeTokens(context, found.stored);
}

function logEnd(owner: Owner, reason: Which["reason"], { stored }: SessionInStore): void {
  const { context, subTag } = owner;
  const { id: session } = stored.header;
  const { sub } = stored.data.user;
  const cause = owner.stored.header.id;
  const log = logOf(context, stored.header);
  log({ event: "sign-out", reason, sub, session, cause });
  const device = deviceTraceIn(stored.data.device);
  context.onUserEvent({ event: "device-ended", subTag, session, device });
}
