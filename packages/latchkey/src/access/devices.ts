import { type Context, nowSeconds } from "../context.ts";
import { cookieHeaders, type HeaderList, sessionCacheHeaders } from "../http/headers.ts";
import { userAgentIn } from "../session/device.ts";
import { timesOf } from "../session/lifetime.ts";
import type { FoundSession, PersonSessions } from "../session/person-sessions.ts";
import type { StoredSession } from "../session/session.ts";
import { judgeSession, type OpenVisit } from "../session/visit.ts";
import { revokeTokens } from "./revoke-tokens.ts";
import { askStore, visitRequest } from "./visit-request.ts";

/** A browser in which a person is signed in; all times in epoch seconds. */
export interface Device {
  /** Names this sign-in; no secret, and good for nothing but {@link endDevice}. */
  readonly id: string;
  /** Whether this very request comes from it. */
  readonly isCurrent: boolean;
  readonly startedAt: number;
  readonly lastUsedAt: number;
  /** Ends then without further use. */
  readonly endsAt: number;
  /** As the browser called itself at sign-in; empty where it did not. Anybody can send anything here. */
  readonly userAgent: string;
  /** Until then other services may accept the access token that it was given; `null` where there is none. */
  readonly accessTokenEndsAt: number | null;
}

/** Which of a person's sign-ins to end: those in other browsers, or all of them. */
export type WhichDevices = "others" | "all";

export interface EndedDevices {
  /** Those that were ended, as far as they are known one by one: none where sessions live in cookies. */
  readonly devices: readonly Device[];
  /** What the answer must carry; clears the cookie where this browser was signed out too. */
  readonly headers: HeaderList;
}

/** A signed-in person, and what they can do with their sign-ins. */
interface Owner {
  readonly context: Context;
  readonly request: Request;
  readonly stored: StoredSession;
  readonly sub: string;
}

/**
 * Where the person of this request is signed in: this browser first, then by last use.
 *
 * @returns an empty list where nobody is signed in; `null` where sessions live in cookies: then there is no list
 * @throws {Refusal} `store_unavailable`
 */
export async function listDevices(
  context: Context,
  request: Request,
): Promise<readonly Device[] | null> {
  const { ofPerson } = context.sessions;
  if (ofPerson === null) return null;
  const owner = await ownerOf(context, request);
  if (owner === null) return [];
  const found = await askStore(context, () => liveSessions(owner, ofPerson));
  return found.map((each) => deviceOf(owner, each));
}

/**
 * Ends one sign-in of the person of this request. The id of another person's, or of one that has ended, ends nothing.
 *
 * @returns `null` where sessions live in cookies: then none but this one can be found
 * @throws {Refusal} `store_unavailable`: what was ended before the fault stays ended
 */
export async function endDevice(
  context: Context,
  request: Request,
  id: string,
): Promise<EndedDevices | null> {
  return endThose(context, request, "device", ({ session }) => session.header.id === id);
}

/** Ends the person's sign-ins in every browser but this one; see {@link endDevice}. */
export async function endOtherDevices(
  context: Context,
  request: Request,
): Promise<EndedDevices | null> {
  const { stored } = await visitRequest(context, request);
  const current = stored?.header.id;
  return endThose(context, request, "other-devices", (each) => each.session.header.id !== current);
}

/**
 * Ends all sign-ins of the person of this request, also in this browser and also those that nobody can list. Who signs
 * in afterwards is not concerned.
 *
 * @returns `null` where there is no store
 * @throws {Refusal} `store_unavailable`
 */
export async function endAllDevices(
  context: Context,
  request: Request,
): Promise<EndedDevices | null> {
  const { ended, sessions } = context;
  if (ended === null) return null;
  const owner = await ownerOf(context, request);
  if (owner === null) return nothingEnded(context, request);
  const { ofPerson } = sessions;
  return askStore(context, async () => {
    const found = ofPerson === null ? [] : await liveSessions(owner, ofPerson);
    // The mark comes first: it also ends what is signed in while the list is read.
    await ended.endPerson(owner.sub);
    await ofPerson?.remove(found.filter((each) => !isCurrent(owner, each)));
    const headers = await signOutHere(owner);
    for (const { session } of found) revokeTokens(context, session);
    if (ofPerson === null) revokeTokens(context, owner.stored);
    context.log({ event: "sign-out", reason: "all-devices", sub: owner.sub });
    return { devices: found.map((each) => deviceOf(owner, each)), headers };
  });
}

async function endThose(
  context: Context,
  request: Request,
  reason: "device" | "other-devices",
  isMeant: (found: FoundSession) => boolean,
): Promise<EndedDevices | null> {
  const { ofPerson } = context.sessions;
  if (ofPerson === null) return null;
  const owner = await ownerOf(context, request);
  if (owner === null) return nothingEnded(context, request);
  return askStore(context, async () => {
    const found = (await liveSessions(owner, ofPerson)).filter(isMeant);
    for (const each of found) await endOne(owner, ofPerson, each, reason);
    const { headers } = await visitRequest(context, request);
    return { devices: found.map((each) => deviceOf(owner, each)), headers };
  });
}

async function endOne(
  owner: Owner,
  ofPerson: PersonSessions,
  found: FoundSession,
  reason: "device" | "other-devices",
): Promise<void> {
  const { context, sub } = owner;
  const { id } = found.session.header;
  if (isCurrent(owner, found)) {
    await signOutHere(owner);
  } else {
    if (id !== undefined) await context.ended?.endSession(id);
    await ofPerson.remove([found]);
  }
  revokeTokens(context, found.session);
  context.log({ event: "sign-out", reason, sub });
}

/** Ends the session of this request; whoever reads it later in the same request finds nobody. */
async function signOutHere({ context, request, stored }: Owner): Promise<HeaderList> {
  const { cookies } = await visitRequest(context, request);
  const cleared = await context.sessions.end(stored, cookies);
  const headers = [...sessionCacheHeaders, ...cookieHeaders(cleared)];
  const visit: OpenVisit = { session: null, stored: null, cookies, headers };
  context.visits.keep(request, visit);
  return headers;
}

async function nothingEnded(context: Context, request: Request): Promise<EndedDevices> {
  const { headers } = await visitRequest(context, request);
  return { devices: [], headers };
}

async function ownerOf(context: Context, request: Request): Promise<Owner | null> {
  const { stored } = await visitRequest(context, request);
  return stored === null ? null : { context, request, stored, sub: stored.data.user.sub };
}

/** The person's sessions that live, in the order in which they are shown. */
async function liveSessions(
  owner: Owner,
  ofPerson: PersonSessions,
): Promise<readonly FoundSession[]> {
  const { sessions, config } = owner.context;
  const { lifetime } = config.session;
  const now = nowSeconds(owner.context);
  const judged = (await ofPerson.list(owner.sub)).map(async (found) => {
    const { state } = await judgeSession({ sessions, lifetime }, found.session, now);
    return state === "live" ? [found] : [];
  });
  const live = (await Promise.all(judged)).flat();
  const rank = (each: FoundSession) => (isCurrent(owner, each) ? 1 : 0);
  return live.toSorted(
    (one, other) =>
      rank(other) - rank(one) ||
      other.session.header.uat - one.session.header.uat ||
      other.session.header.iat - one.session.header.iat,
  );
}

function isCurrent({ stored }: Owner, { session }: FoundSession): boolean {
  return session.header.id !== undefined && session.header.id === stored.header.id;
}

function deviceOf(owner: Owner, found: FoundSession): Device {
  const { header, data } = found.session;
  const { startedAt, updatedAt, endsAt } = timesOf(header, owner.context.config.session.lifetime);
  return {
    id: header.id ?? "",
    isCurrent: isCurrent(owner, found),
    startedAt,
    lastUsedAt: updatedAt,
    endsAt,
    userAgent: userAgentIn(data.device),
    accessTokenEndsAt: data.accessTokenExpiresAt ?? null,
  };
}
