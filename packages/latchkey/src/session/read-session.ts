import type { SessionLifetime } from "../config/config.ts";
import { keyIdIn } from "../crypto/jwe.ts";
import { type Cookies, joinChunks } from "../http/cookies.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { Store } from "../stores/store.ts";
import { isEnded, isEndedAtProvider, markKeys, type Marks } from "./ends/ended-list.ts";
import type { SignInTimes } from "./ends/mark.ts";
import { expiryOf } from "./lifetime.ts";
import type { RefreshTickets } from "./tickets/refresh-tickets.ts";
import type { TicketState } from "./tickets/ticket.ts";
import type { NoSession, SessionContent, SessionSeal } from "./seal.ts";
import type { EndReason, SessionHeader, SessionRecord, StoredSession } from "./session.ts";
import {
  endedRecordKey,
  parseHandle,
  recordKey,
  type SessionHandle,
  sessionIdOf,
} from "./session-handle.ts";

/** What a request's session is found to be. */
export type SessionResult =
  | { readonly state: "none"; readonly reason?: "unknown-key" }
  | {
      readonly state: "ended";
      readonly reason: EndReason;
      readonly stored: StoredSession | null;
      /** Whether the provider has ended its own session, and this one with it. */
      readonly isByProvider?: boolean;
    }
  | {
      readonly state: "active";
      readonly stored: StoredSession;
      readonly handOff?: HandOff | undefined;
      /** It has newer tokens than the cookie it was read from. */
      readonly isHealed?: boolean;
    };

/** The session, where it is active; `null` for any other result. */
export function activeSession(result: SessionResult | null): StoredSession | null {
  return result?.state === "active" ? result.stored : null;
}

/** The session as far as it could be read, also one that has ended; `null` where there is none. */
export function foundSession(result: SessionResult): StoredSession | null {
  return result.state === "none" ? null : result.stored;
}

/** What has become of the tokens in a cookie since it was written. */
export interface HandOff {
  /** Of the refresh token; `null` where there is none. */
  readonly state: TicketState | null;
  /** What the store has of the ticket that brought these tokens, which have come back now. */
  readonly formerText?: string | null | undefined;
}

export interface SessionReader {
  /** Name of the session cookie. */
  readonly name: string;
  readonly seal: SessionSeal;
  readonly store: Store | null;
  /** Whether sessions live in the store; those in cookies move there with their next renewal. */
  readonly stateful: boolean;
  readonly tickets: RefreshTickets;
  readonly lifetime: SessionLifetime;
  /** Called for every session that names another issuer or client. */
  readonly onForeign: () => void;
  /** Called for every session that lives in a store, where there is none here. */
  readonly onStoreMissing: () => void;
  /** Called for every session that none of our keys sealed; with the id of its key, where it names one. */
  readonly onUnknownKey: (keyId: string | undefined) => void;
}

/** Parses what the request carries, asks the store once, and decides. Renews and clears nothing. */
export async function readSession(
  reader: SessionReader,
  cookies: Cookies,
  nowSeconds: number,
): Promise<SessionResult> {
  const carried = parseCarried(reader, cookies);
  if (carried === null) return { state: "none" };
  const answered = typeof carried === "string" ? carried : await askStore(reader, carried);
  if (answered === "foreign") reader.onForeign();
  if (answered === "no-store") reader.onStoreMissing();
  // It is another app's or another instance's to end: neither cookie nor record is touched.
  if (answered === "unknown-key") return { state: "none", reason: answered };
  if (answered === "foreign" || answered === "no-store") return { state: "none" };
  return typeof answered === "string"
    ? { state: "ended", reason: answered, stored: null }
    : decide(answered, reader.lifetime, nowSeconds);
}

/**
 * The same session as it is now: others may have changed or ended it since it was read.
 */
export async function readAgain(
  reader: SessionReader,
  stored: StoredSession,
  nowSeconds: number,
): Promise<SessionResult> {
  const { store, lifetime } = reader;
  if (store === null) return decide({ stored, marks: [] }, lifetime, nowSeconds);
  const { header, record } = stored;
  const answered =
    record === null
      ? { stored, marks: await store.get(markKeys(header)) }
      : await askForRecord(reader, store, record.handle);
  return typeof answered === "string" ? { state: "none" } : decide(answered, lifetime, nowSeconds);
}

/** A session, and the marks that the store holds on it. */
export interface MarkedSession {
  readonly stored: StoredSession;
  readonly marks: Marks;
  readonly handOff?: HandOff | undefined;
}

/** Whether a session is still active. Pure: everything it needs was read before. */
export function decide(
  { stored, marks, handOff }: MarkedSession,
  lifetime: SessionLifetime,
  nowSeconds: number,
): SessionResult {
  const { header } = stored;
  const expired = expiryOf(header, lifetime, nowSeconds);
  if (expired !== null) return { state: "ended", reason: expired, stored };
  const times = signInTimesOf(header);
  if (isEnded(marks, times, nowSeconds)) {
    const isByProvider = isEndedAtProvider(marks, header, times);
    return { state: "ended", reason: "elsewhere", stored, isByProvider };
  }
  return { state: "active", stored, handOff };
}

/** A session that was made elsewhere does not tell when its sign-in was started. */
export function signInTimesOf({ started, iat, issued, took }: SessionHeader): SignInTimes {
  return { started: started ?? iat * 1000, issued, took, created: iat };
}

/** A session that the cookie holds itself, or a handle of one in the store. */
type Carried = SessionContent | SessionHandle | NoSession;

function parseCarried(reader: SessionReader, cookies: Cookies): Carried | null {
  const parsed = joinChunks(reader.name, cookies).map(
    (value): Carried => parseHandle(value) ?? openSealed(reader, value),
  );
  const [one, other] = parsed;
  if (one === undefined) return null;
  return other === undefined ? one : newer(one, other);
}

/** What cookies hold, as far as it can be told without the store; `null` where no key of ours has sealed it. */
export function carriedSession(
  reader: SessionReader,
  cookies: Cookies,
): SessionContent | SessionHandle | null {
  const carried = parseCarried(reader, cookies);
  return typeof carried === "string" ? null : carried;
}

function openSealed({ seal, onUnknownKey }: SessionReader, value: string, key?: string) {
  const opened = seal.open(value, key);
  if (opened === "unknown-key") onUnknownKey(keyIdIn(value));
  return opened;
}

/** An old plain cookie may lie beside new chunks: the session that was used last counts. */
function newer(one: Carried, other: Carried): Carried {
  if (typeof one === "string") return typeof other === "string" ? one : other;
  if (typeof other === "string" || !("header" in other)) return one;
  return "header" in one && one.header.uat >= other.header.uat ? one : other;
}

/** Why a session is left alone. */
type LeftAlone = "foreign" | "unknown-key" | "no-store";
type Answered = MarkedSession | "unreadable" | "elsewhere" | "idle" | LeftAlone;

function askStore(
  reader: SessionReader,
  carried: SessionContent | SessionHandle,
): MaybePromise<Answered> {
  const { store } = reader;
  if ("secret" in carried) {
    return store === null ? missingRecord(reader, carried) : askForRecord(reader, store, carried);
  }
  const stored = { ...carried, record: null };
  return store === null ? unmarked(reader, stored) : askForMarks(reader, store, stored);
}

/** Without a store only this process knows what became of the tokens. */
function unmarked({ tickets }: SessionReader, stored: StoredSession): MarkedSession {
  const ticket = tickets.of(stored);
  const state = ticket && tickets.known(ticket);
  const isAsBefore = stored.header.ticket === undefined && state?.state !== "done";
  return isAsBefore ? { stored, marks: [] } : { stored, marks: [], handOff: { state } };
}

/**
 * The marks on a session that the cookie holds, and what became of its tokens, come together; also its record, where
 * it is moving into the store.
 */
async function askForMarks(
  reader: SessionReader,
  store: Store,
  stored: StoredSession,
): Promise<MarkedSession> {
  const { tickets, seal, stateful } = reader;
  const ticket = tickets.of(stored);
  const { ticket: former } = stored.header;
  const here = ticket && tickets.known(ticket);
  const markedAt = markKeys(stored.header);
  const tickedAt = [ticket?.key, former].filter((key) => key !== undefined);
  const handle = stateful ? seal.handleOf(stored.header) : null;
  const movedTo = handle === null ? [] : [recordKey(handle)];
  const texts = await store.get([...markedAt, ...tickedAt, ...movedTo]);
  const marks = texts.slice(0, markedAt.length);
  const sealed = texts.at(-1);
  if (handle !== null && sealed != null)
    return { stored: inStore(reader, stored, { handle, sealed }), marks };
  const [text = null, formerText] = texts.slice(markedAt.length);
  const state = here?.state === "done" ? here : ticket && tickets.read(ticket, text);
  return { stored, marks, handOff: { state, formerText } };
}

/** A session that has moved, and whose browser had another response meanwhile: what was used last counts. */
function inStore(
  { seal }: SessionReader,
  stored: StoredSession,
  record: SessionRecord,
): StoredSession {
  const moved = seal.open(record.sealed, recordKey(record.handle));
  return { ...(typeof moved === "string" || !isUsedLater(moved, stored) ? stored : moved), record };
}

/** The last use is known to the second, an update in it to the millisecond. */
function isUsedLater({ header: one }: SessionContent, { header: other }: SessionContent): boolean {
  return (one.uat - other.uat || (one.changed ?? 0) - (other.changed ?? 0)) > 0;
}

/** The record and the marks on it come together: the handle says where they lie. */
async function askForRecord(
  reader: SessionReader,
  store: Store,
  handle: SessionHandle,
): Promise<Answered> {
  const key = recordKey(handle);
  const expected = markKeys({ ...handle, id: sessionIdOf(handle) });
  const [sealed, ended, ...marks] = await store.get([key, endedRecordKey(key), ...expected]);
  if (sealed == null) {
    const [onSession] = marks;
    return ended == null && onSession == null ? missingRecord(reader, handle) : "elsewhere";
  }
  const content = openSealed(reader, sealed, key);
  if (content === "unknown-key") return content;
  if (typeof content === "string") return "unreadable";
  const stored = { ...content, record: { handle, sealed } };
  const keys = markKeys(content.header);
  // A handle that was changed by hand names other marks than those of its session.
  const isExpected = keys.every((each, place) => each === expected[place]);
  return { stored, marks: isExpected ? marks : await store.get(keys) };
}

/**
 * What a handle says whose session is not here: one of ours that nobody has ended has left the store some time after its
 * own end, or lives in one that only other instances have by now. Any other is that of another app on this host.
 */
function missingRecord(
  { seal, store, onUnknownKey }: SessionReader,
  { keyId }: SessionHandle,
): "idle" | "no-store" | "unknown-key" {
  if (seal.knowsKey(keyId)) return store === null ? "no-store" : "idle";
  onUnknownKey(keyId);
  return "unknown-key";
}
