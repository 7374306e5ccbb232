import {
  isNamed,
  keysFor,
  namesIn,
  openNamed,
  type SealedNames,
  type SealingKeys,
} from "../config/sealed-names.ts";
import { keyedHash } from "../crypto/digest.ts";
import { parseJSON } from "../crypto/json-object.ts";
import { longestJWE, type OpenedText, sealText } from "../crypto/jwe.ts";
import {
  isSessionData,
  isSealedHeader,
  type SealedHeader,
  type SessionData,
  type SessionHeader,
  type StoredSession,
} from "./session.ts";
import {
  type ClientRegistration,
  formatHandle,
  parseHandle,
  type SessionHandle,
  sessionTags,
} from "./session-handle.ts";
import { sessionTooLarge } from "./session-too-large.ts";

/** The header and data of a session, wherever it lives. */
export type SessionContent = Pick<StoredSession, "header" | "data" | "opened">;

/**
 * Why a sealed text is no session of ours: `unreadable` if it was changed, is in another place or
 * holds something else, `unknown-key` if none of our keys sealed it.
 */
export type NoSession = "unreadable" | "unknown-key";

/**
 * Makes a sealed text of a session, and a session of a sealed text. Whether a session counts for
 * a connection and a site, its reader decides.
 */
export interface SessionSeal {
  knowsKey(id: string): boolean;
  /** The id of the current key for sessions with these names. */
  keyId(names: SealedNames): string;
  /**
   * The place in the store for a session in a cookie: always the same, and secret without our key.
   */
  handleOf(header: SessionHeader): SessionHandle;
  /** The value of the cookie for a session in the store. */
  writeHandle(handle: SessionHandle): string;
  openCookie(value: string): SessionContent | SessionHandle | NoSession;
  /**
   * The header stays readable but cannot be changed, the data cannot be read.
   *
   * @param key - of the record in the store; none for a cookie
   * @throws {Refusal} `session_too_large`: it would not open again
   */
  seal(session: SessionContent, key?: string): string;
  /** @param key - under which it was found in the store; none for a cookie */
  open(sealed: string, key?: string): SessionContent | NoSession;
}

export interface SessionSealOptions {
  readonly keys: SealingKeys;
  /** That of a session which names none. */
  readonly registration: () => ClientRegistration;
  /** What a session must name, else it is refused. */
  readonly required: readonly RequiredName[];
}

export type RequiredName = "issuer" | "client" | "connection" | "origin";

export function createSessionSeal(options: SessionSealOptions): SessionSeal {
  const { keys } = options;
  return {
    knowsKey: (id) => keys.plain().byId.has(id) || keys.named().byId.has(id),
    keyId: (names) => keysFor(keys, names).current.id,
    handleOf(header) {
      const { id, subTag, sidTag } = header;
      const { current } = keysFor(keys, header);
      const secret = keyedHash(current.key, `handle ${id}`);
      return { subTag, sidTag, secret, keyId: current.id, ...namesIn(header) };
    },
    writeHandle(handle) {
      const text = formatHandle(handle);
      const names = namesIn(handle);
      return isNamed(names) ? sealText(keys.named(), names, text) : text;
    },
    openCookie(value) {
      const handle = parseHandle(value);
      if (handle !== null) return handle;
      const opened = openUnder(keys, value);
      if (typeof opened === "string") return opened;
      const sealed = isNamed(opened.header) ? parseHandle(opened.text) : null;
      if (sealed === null) return toContent(options, opened, undefined);
      const { connection, origin } = opened.header;
      const areTexts = typeof connection === "string" && typeof origin === "string";
      return areTexts ? { ...sealed, connection, origin } : "unreadable";
    },
    seal({ header, data, opened }, key) {
      const text = opened?.data === data ? opened.text : JSON.stringify(data);
      const sealed = sealText(keysFor(keys, header), { ...header, place: placeOf(key) }, text);
      if (sealed.length <= longestJWE) return sealed;
      throw sessionTooLarge(data, `${sealed.length} bytes sealed, ${longestJWE} allowed`);
    },
    open(sealed, key) {
      const opened = openUnder(keys, sealed);
      return typeof opened === "string" ? opened : toContent(options, opened, key);
    },
  };
}

function openUnder(keys: SealingKeys, sealed: string): OpenedText | NoSession {
  const opened = openNamed(keys, sealed);
  return opened === "malformed" ? "unreadable" : opened;
}

function toContent(
  { registration, required }: SessionSealOptions,
  { header, text }: OpenedText,
  key: string | undefined,
): SessionContent | NoSession {
  if (!isSealedHeader(header)) return "unreadable";
  if (required.some((name) => header[name] === undefined)) return "unreadable";
  // Former versions sealed records without it.
  if (header.place !== undefined && header.place !== placeOf(key)) return "unreadable";
  const data = parseJSON(text);
  return isSessionData(data)
    ? { header: completeHeader(header, data, registration()), data, opened: { data, text } }
    : "unreadable";
}

/** The key of a record without the user, whom the header names. */
function placeOf(key: string | undefined): string | undefined {
  return key?.slice(key.lastIndexOf("|") + 1);
}

/**
 * A session made elsewhere has neither tags nor an id. Both come from its data, so all its copies
 * share them and its end can be remembered. It is one of the default client.
 */
function completeHeader(
  header: SealedHeader,
  { user }: SessionData,
  registration: ClientRegistration,
): SessionHeader {
  const { id, subTag, issuer = registration.issuer, client = registration.client } = header;
  if (id !== undefined && subTag !== undefined) return { ...header, id, subTag, issuer, client };
  const sid = typeof user.sid === "string" ? user.sid : undefined;
  const tags = sessionTags({ issuer, client }, { sub: user.sub, sid });
  return { ...header, id: id ?? `${tags.subTag}.${header.iat}`, ...tags, issuer, client };
}
