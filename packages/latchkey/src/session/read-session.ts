import type { SessionLifetime } from "../config/config.ts";
import { isOfSite, type SealedNames, type SealingSite } from "../config/sealed-names.ts";
import { keyIdIn } from "../crypto/jwe.ts";
import { type Cookies, joinChunks } from "../http/cookies.ts";
import type { MaybePromise } from "../time/maybe-promise.ts";
import type { Store } from "../stores/store.ts";
import { readTexts, type Texts } from "../stores/read-texts.ts";
import type { Former, FormerSessionIn } from "./former-session.ts";
import {
  isEnded,
  isEndedAtProvider,
  isEndedWithConnection,
  markKey,
  markKeys,
} from "./marks/ended-list.ts";
import type { DeviceBinding } from "./device-binding.ts";
import { type LastUseCookie, withNewerUse } from "./last-use.ts";
import { expiryOf, type LifetimeOf } from "./lifetime.ts";
import type { NoSession, SessionContent, SessionSeal } from "./seal.ts";
import { belongsInStore } from "./place.ts";
import type { EndReason, SessionHeader, StoredSession } from "./session.ts";
import { endedRecordKey, recordKey, type SessionHandle, sessionIdOf } from "./session-handle.ts";

/** What a request's session is found to be. */
export type SessionResult =
  | {
      readonly state: "none";
      /** `no-connection`: it names a connection that is not here, or has another client now. */
      readonly reason?: "unknown-key" | "no-connection";
      /** Whether its connection is not here at all. */
      readonly isRemoved?: true;
    }
  /** It is bound to a device, and the request has no proof of it. */
  | { readonly state: "unproved"; readonly stored: StoredSession }
  | {
      readonly state: "ended";
      readonly reason: Exclude<EndReason, "unproved">;
      readonly stored: StoredSession | null;
      /** Whether the provider has ended its own session, and this one with it. */
      readonly isByProvider?: boolean;
      /** Whether all sessions of its connection have been ended. */
      readonly isWithConnection?: boolean;
    }
  | { readonly state: "active"; readonly stored: StoredSession };

/** The active session; `null` for any other result. */
export function activeSession(result: SessionResult | null): StoredSession | null {
  return result?.state === "active" ? result.stored : null;
}

/** The session as far as it could be read, also one that does not count; `null` without one. */
export function foundSession(result: SessionResult): StoredSession | null {
  return result.state === "none" ? null : result.stored;
}

/** A session names another client than its connection has, or a connection that is not here. */
export type NoConnection = "other-client" | "unknown-connection";

export interface SessionReader {
  /** Name of the session cookie. */
  readonly name: string;
  readonly seal: SessionSeal;
  readonly lastUse: LastUseCookie;
  /** `null` unless sessions are bound to devices. */
  readonly device: DeviceBinding | null;
  readonly store: Store | null;
  /** Which sessions belong in the store; those in cookies move there at their next renewal. */
  readonly stateful: boolean | undefined;
  readonly site: SealingSite;
  /** Why a session does not count with its connection; `null` if it does. */
  readonly noConnectionOf: (header: SessionHeader) => MaybePromise<NoConnection | null>;
  readonly lifetimeOf: LifetimeOf;
  /** `null` unless the app moves from another library. */
  readonly formerSessionIn: FormerSessionIn | null;
  /** Called for every session of another site or client, or of a connection that is not here. */
  readonly onForeign: (why: "other-site" | NoConnection, names: SealedNames) => void;
  /** Called for every session in a store, if there is none here. */
  readonly onStoreMissing: () => void;
  /**
   * Called for every session sealed with an unknown key; with the id of the key, if it names one.
   */
  readonly onUnknownKey: (keyId: string | undefined) => void;
  /** Called for every session that is bound to a device, without a proof of it. */
  readonly onUnproved: () => void;
}

/**
 * Parses what the request carries, reads the store once, and decides. Renews and clears nothing.
 */
export async function readSession(
  reader: SessionReader,
  cookies: Cookies,
  nowSeconds: number,
): Promise<SessionResult> {
  const carried = parseCarried(reader, cookies);
  const isRead = carried !== null && typeof carried !== "string";
  const found = isRead ? await readCarried(reader, carried) : carried;
  if (found === "no-store") reader.onStoreMissing();
  if (found === null || typeof found === "string") return withoutContent(found);
  const stored = reader.lastUse.apply(found.stored, cookies, nowSeconds);
  const result = await settle(reader, { ...found, stored }, nowSeconds);
  // A copy, or the first request after a pause: nothing is cleared, for its owner goes on.
  return result.state === "active" && isUnproved(reader, stored, cookies, nowSeconds)
    ? { state: "unproved", stored }
    : result;
}

/** What a request is found to be if there is no session, or none that can be read. */
function withoutContent(found: Exclude<Found, SessionWithMarks> | null): SessionResult {
  switch (found) {
    case "unreadable":
    case "elsewhere":
    case "idle":
      return { state: "ended", reason: found, stored: null };
    // The others are another app's or another instance's to end: neither cookie nor record is
    // touched.
    case "unknown-key":
      return { state: "none", reason: found };
    case "other-client":
    case "unknown-connection":
      return withoutConnection(found);
    default:
      return { state: "none" };
  }
}

function isUnproved(
  { device, onUnproved }: SessionReader,
  { header }: StoredSession,
  cookies: Cookies,
  nowSeconds: number,
): boolean {
  if (device?.cookie.lacksProof(header, cookies, nowSeconds) !== true) return false;
  onUnproved();
  return device.isEnforced;
}

/**
 * Returns the former session of a request without a session of ours. One of ours that has ended
 * counts: a former session must not bring it back.
 */
export async function readFormer(
  reader: SessionReader,
  former: Former,
  own: SessionResult,
  nowSeconds: number,
): Promise<SessionResult> {
  const isMissing = own.state === "none" || (own.state === "ended" && own.reason === "unreadable");
  const content = isMissing ? former()?.content : undefined;
  if (content === undefined) return own;
  const { store, site } = reader;
  if (!isOfSite(content.header, site)) return own;
  const stored = { ...content, record: null };
  const found =
    store === null ? { stored, marks: noMarks } : await readMarks(reader, store, stored);
  return settle(reader, found, nowSeconds);
}

/**
 * The same session as it is now: others may have changed or ended it since it was read.
 */
export async function readAgain(
  reader: SessionReader,
  stored: StoredSession,
  nowSeconds: number,
): Promise<SessionResult> {
  const { store } = reader;
  if (store === null) return settle(reader, { stored, marks: noMarks }, nowSeconds);
  const { header, record } = stored;
  const found =
    record === null
      ? { stored, marks: await readTexts(store, markKeys(header)) }
      : await readRecord(reader, store, record.handle);
  if (typeof found === "string") return { state: "none" };
  return settle(reader, { ...found, stored: withNewerUse(found.stored, header) }, nowSeconds);
}

/** Decides on a session if its connection is here and has the same client. */
async function settle(
  reader: SessionReader,
  found: SessionWithMarks,
  nowSeconds: number,
): Promise<SessionResult> {
  const { header } = found.stored;
  const why = await reader.noConnectionOf(header);
  if (why === null) return decide(found, reader.lifetimeOf(header), nowSeconds);
  reader.onForeign(why, header);
  return header.connection === undefined ? { state: "none" } : withoutConnection(why);
}

function withoutConnection(why: NoConnection): SessionResult {
  const result = { state: "none", reason: "no-connection" } as const;
  return why === "unknown-connection" ? { ...result, isRemoved: true } : result;
}

/** A session, and the marks on it in the store. */
export interface SessionWithMarks {
  readonly stored: StoredSession;
  readonly marks: Texts;
}

const noMarks: Texts = () => null;

/** Whether a session is still active. Pure: everything it needs was read before. */
export function decide(
  { stored, marks }: SessionWithMarks,
  lifetime: SessionLifetime,
  nowSeconds: number,
): SessionResult {
  const { header } = stored;
  const expired = expiryOf(header, lifetime, nowSeconds);
  if (expired !== null) return { state: "ended", reason: expired, stored };
  if (isEnded(marks, header)) {
    const isByProvider = isEndedAtProvider(marks, header);
    const isWithConnection = isEndedWithConnection(marks, header);
    return { state: "ended", reason: "elsewhere", stored, isByProvider, isWithConnection };
  }
  return { state: "active", stored };
}

/** A session in the cookie itself, or the handle of one in the store. */
type Carried = SessionContent | SessionHandle | NoSession | Foreign;

function parseCarried(reader: SessionReader, cookies: Cookies): Carried | null {
  const parsed = joinChunks(reader.name, cookies).map((value) => openCookie(reader, value));
  const [one, other] = parsed;
  if (one === undefined) return null;
  return other === undefined ? one : newer(one, other);
}

/**
 * What cookies hold, as far as it is known without the store; `null` if no key of ours sealed it
 * for this site.
 */
export function carriedSession(
  reader: SessionReader,
  cookies: Cookies,
): SessionContent | SessionHandle | null {
  const carried = parseCarried(reader, cookies);
  return typeof carried === "string" ? null : carried;
}

function openCookie(reader: SessionReader, value: string): Carried {
  const carried = reader.seal.openCookie(value);
  if (carried === "unknown-key") reader.onUnknownKey(keyIdIn(value));
  if (typeof carried === "string") return carried;
  return "header" in carried ? ofThisSite(reader, carried) : handleOfThisSite(reader, carried);
}

function openRecord(reader: SessionReader, sealed: string, key: string) {
  const content = reader.seal.open(sealed, key);
  if (content === "unknown-key") reader.onUnknownKey(keyIdIn(sealed));
  return typeof content === "string" ? content : ofThisSite(reader, content);
}

function ofThisSite(reader: SessionReader, content: SessionContent): SessionContent | Foreign {
  const { header } = content;
  // That of a connection which is still looked up is awaited later.
  const why = isOfSite(header, reader.site) ? reader.noConnectionOf(header) : "other-site";
  if (typeof why !== "string") return content;
  reader.onForeign(why, header);
  return why === "other-site" || header.connection === undefined ? "foreign" : why;
}

function handleOfThisSite(reader: SessionReader, handle: SessionHandle): SessionHandle | "foreign" {
  if (isOfSite(handle, reader.site)) return handle;
  reader.onForeign("other-site", handle);
  return "foreign";
}

/** An old plain cookie may lie beside new chunks: the session used last counts. */
function newer(one: Carried, other: Carried): Carried {
  if (typeof one === "string") return typeof other === "string" ? one : other;
  if (typeof other === "string" || !("header" in other)) return one;
  return "header" in one && one.header.uat >= other.header.uat ? one : other;
}

/** Why a session is left alone; of another site it is foreign. */
type LeftAlone = Foreign | "unknown-key" | "no-store";
type Foreign = "foreign" | NoConnection;
type Found = SessionWithMarks | "unreadable" | "elsewhere" | "idle" | LeftAlone;

function readCarried(
  reader: SessionReader,
  carried: SessionContent | SessionHandle,
): MaybePromise<Found> {
  const { store } = reader;
  if ("secret" in carried) {
    return store === null ? missingRecord(reader, carried) : readRecord(reader, store, carried);
  }
  const stored = { ...carried, record: null };
  return store === null ? { stored, marks: noMarks } : readMarks(reader, store, stored);
}

/** The marks on a session in a cookie, and its record if it is moving into the store. */
async function readMarks(
  { seal, stateful }: SessionReader,
  store: Store,
  stored: StoredSession,
): Promise<SessionWithMarks> {
  const { header, data } = stored;
  const handle = belongsInStore(stateful, data) ? seal.handleOf(header) : null;
  const movedTo = handle && recordKey(handle);
  const texts = await readTexts(store, [...markKeys(header), ...(movedTo ? [movedTo] : [])]);
  const sealed = movedTo && texts(movedTo);
  const moved = sealed && seal.open(sealed, movedTo);
  if (!handle || !sealed || !moved || typeof moved === "string") return { stored, marks: texts };
  return { stored: { ...moved, record: { handle, sealed } }, marks: texts };
}

/** The record and the marks on it come together: the handle names their keys. */
async function readRecord(
  reader: SessionReader,
  store: Store,
  handle: SessionHandle,
): Promise<Found> {
  const key = recordKey(handle);
  const expected = markKeys({ ...handle, id: sessionIdOf(handle) });
  const texts = await readTexts(store, [key, endedRecordKey(key), ...expected]);
  const sealed = texts(key);
  if (sealed === null) {
    const isEndedHere = [endedRecordKey(key), markKey(sessionIdOf(handle))].some(
      (at) => texts(at) !== null,
    );
    return isEndedHere ? "elsewhere" : missingRecord(reader, handle);
  }
  const content = openRecord(reader, sealed, key);
  if (typeof content === "string") return content;
  const stored = { ...content, record: { handle, sealed } };
  const keys = markKeys(content.header);
  // A session that has moved here has the id of its cookie; a handle changed by hand names other
  // marks.
  const isExpected = keys.every((each) => expected.includes(each));
  return { stored, marks: isExpected ? texts : await readTexts(store, keys) };
}

/**
 * Why the session of a handle is missing. One of ours, with no mark on it, left the store some
 * time after its own end, or lives in a store of other instances. Any other belongs to another app
 * on this host.
 */
function missingRecord(
  { seal, store, onUnknownKey }: SessionReader,
  { keyId }: SessionHandle,
): "idle" | "no-store" | "unknown-key" {
  if (seal.knowsKey(keyId)) return store === null ? "no-store" : "idle";
  onUnknownKey(keyId);
  return "unknown-key";
}
