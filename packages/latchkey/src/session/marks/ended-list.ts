import { defaultID } from "../../config/constants.ts";
import { sha256 } from "../../crypto/digest.ts";
import type { Store } from "../../stores/store.ts";
import { endsSignIn, formatMark, isNewer, type Mark, parseMark } from "./mark.ts";
import { readTexts, type Texts } from "../../stores/read-texts.ts";
import type { SessionHeader } from "../session.ts";
import { type ClientRegistration, providerSessionTag, userTag } from "../session-handle.ts";

/** By what a session can be named when it is to be ended. */
export interface SessionNames {
  readonly id: string;
  /** See `providerSessionTag`; `undefined` if the provider gave no `sid`. */
  readonly sidTag?: string | undefined;
  /** See `userTag`. */
  readonly subTag: string;
  /** The id of its connection; that of `default` may be absent. */
  readonly connection?: string | undefined;
}

/** What decides whether a mark ends a session. */
export interface MarkedSession extends SessionNames, Pick<SessionHeader, "iat" | "issued"> {
  readonly started?: number | undefined;
}

/** What a logout token names: a session at the provider, a user, or both. */
export interface NamedSessions {
  readonly sid?: string | undefined;
  readonly sub?: string | undefined;
  /** When the provider issued the token, in epoch seconds; absent if it is not stated. */
  readonly issued?: number | undefined;
}

/**
 * Remembers which sessions were ended before their time.
 *
 * A session has ended when it was named itself, or when its sign-in was **started** before a mark
 * on its session at the provider (`sid`) or its user (`sub`). So a logout token that overtakes the
 * callback counts, a later sign-in revives nothing, and a `sid` used again by the provider does no
 * harm.
 */
export interface EndedList {
  endSession(id: string): Promise<void>;
  /** Ends all sessions of a user; see `userTag`. */
  endUser(subTag: string): Promise<void>;
  /** Ends all sessions of a connection beside `default`. */
  endConnection(id: string): Promise<void>;
  /** Ends what one client's provider names: names of other clients are others. */
  of(client: ClientRegistration): EndsByProvider;
}

/** Ends of sessions by the provider of one client. */
export interface EndsByProvider {
  /**
   * Ends what a logout token names: with a `sid` that session alone, and if the token names the
   * user too, also the user's sessions for which the provider gave no `sid`; else all sessions of
   * the user.
   */
  endNamed(named: NamedSessions): Promise<void>;
  /** Whether a logout token with this id was acted upon before. */
  knowsToken(jti: string): Promise<boolean>;
  /**
   * Remembers a logout token's id until `expiresAt` (epoch seconds); `false` if another instance
   * just did.
   *
   * @param owner - unique for each attempt
   */
  rememberToken(jti: string, owner: string, expiresAt: number): Promise<boolean>;
  /** Takes back what an attempt has remembered, if it has. */
  forgetToken(jti: string, owner: string): Promise<void>;
}

export interface EndedListOptions {
  readonly store: Store;
  /**
   * How long a mark is kept, in seconds: the longest life of a session, counted from the start of
   * its sign-in.
   */
  readonly keepSeconds: number;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

export function createEndedList(options: EndedListOptions): EndedList {
  const mark = (key: string) => write(options, key, { at: options.clock() });
  return {
    endSession: (id) => mark(markKey(id)),
    endUser: (subTag) => mark(subKey(subTag)),
    endConnection: (id) => mark(connectionKey(id)),
    of: (client) => endsByProvider(options, client),
  };
}

async function write(
  { store, keepSeconds, clock }: EndedListOptions,
  key: string,
  mark: Mark,
): Promise<void> {
  await store.set(key, formatMark(mark), Math.ceil(clock() / 1000) + keepSeconds);
}

/** A mark never goes back: a late token must not replace a newer one. */
async function markNamed(
  options: EndedListOptions,
  key: string,
  issued: number | undefined,
): Promise<void> {
  if (issued === undefined) return write(options, key, { at: options.clock() });
  const [lying] = await options.store.get([key]);
  const known = lying == null ? null : parseMark(lying);
  const made = { at: options.clock(), issued };
  if (known === null || isNewer(made, known)) await write(options, key, made);
}

function endsByProvider(options: EndedListOptions, client: ClientRegistration): EndsByProvider {
  const { store, clock } = options;
  return {
    async endNamed({ sid, sub, issued }) {
      if (sid !== undefined) {
        await markNamed(options, sidKey(providerSessionTag(client, sid)), issued);
      }
      if (sub === undefined) return;
      const subTag = userTag(client, sub);
      await markNamed(options, sid === undefined ? subKey(subTag) : withoutSidKey(subTag), issued);
    },
    async knowsToken(jti) {
      const [known] = await store.get([tokenKey(client, jti)]);
      return known != null;
    },
    rememberToken: async (jti, owner, expiresAt) =>
      store.lease(tokenKey(client, jti), owner, Math.max(1, Math.ceil(expiresAt * 1000 - clock()))),
    forgetToken: async (jti, owner) => store.release(tokenKey(client, jti), owner),
  };
}

/** Names with the delimiter in them are hashed: two clients must not share a key. */
function tokenKey({ issuer, client }: ClientRegistration, jti: string): string {
  const names = [issuer, client, jti];
  return names.some((name) => name.includes("|"))
    ? `jti-tag|${sha256(JSON.stringify(names))}`
    : `jti|${names.join("|")}`;
}

/** The keys of all marks on a session, for {@link isEnded}. */
export function markKeys(names: SessionNames): readonly string[] {
  const { id, subTag, connection } = names;
  const isNamed = connection !== undefined && connection !== defaultID;
  const ofConnection = isNamed ? [connectionKey(connection)] : [];
  return [markKey(id), providerKey(names), subKey(subTag), ...ofConnection];
}

/** The key of the mark on a session itself. */
export function markKey(id: string): string {
  return `id|${id}`;
}

/** The key of the mark of a logout token for this session, or for this user alone. */
function providerKey({ sidTag, subTag }: SessionNames): string {
  return sidTag === undefined ? withoutSidKey(subTag) : sidKey(sidTag);
}

export function isEnded(marks: Texts, header: MarkedSession): boolean {
  const [own = "", ...others] = markKeys(header);
  return marks(own) !== null || others.some((key) => isEndedBy(marks(key), header));
}

export async function isMarked(store: Store, session: MarkedSession): Promise<boolean> {
  return isEnded(await readTexts(store, markKeys(session)), session);
}

export function isEndedAtProvider(marks: Texts, header: SessionHeader): boolean {
  return header.sidTag !== undefined && isEndedBy(marks(providerKey(header)), header);
}

export function isEndedWithConnection(marks: Texts, header: SessionHeader): boolean {
  const { connection } = header;
  const isNamed = connection !== undefined && connection !== defaultID;
  return isNamed && isEndedBy(marks(connectionKey(connection)), header);
}

/** An unreadable mark counts: in doubt a session has ended. */
function isEndedBy(text: string | null, header: MarkedSession): boolean {
  if (text === null) return false;
  const mark = parseMark(text);
  // A session made elsewhere does not hold when its sign-in was started.
  const { started = header.iat * 1000, issued } = header;
  return mark === null || endsSignIn(mark, { started, issued });
}

/** The session of the mark under a key; empty for a mark on other names. */
export function markedSession(key: string): string {
  return key.startsWith("id|") ? key.slice("id|".length) : "";
}

const connectionKey = (id: string) => `connection|${id}`;
const sidKey = (tag: string) => `sid|${tag}`;
const subKey = (tag: string) => `sub|${tag}`;
const withoutSidKey = (tag: string) => `sub-without-sid|${tag}`;
