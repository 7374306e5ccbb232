import { keyedHash } from "../crypto/digest.ts";
import { parseJSON } from "../crypto/json-object.ts";
import { longestJWE, openText, sealText } from "../crypto/jwe.ts";
import type { KeyRing } from "../crypto/key-ring.ts";
import {
  isSessionData,
  isSealedHeader,
  type SealedHeader,
  type SessionData,
  type SessionHeader,
  type StoredSession,
} from "./session.ts";
import { type ClientRegistration, type SessionHandle, sessionTags } from "./session-handle.ts";
import { sessionTooLarge } from "./session-too-large.ts";

/** The header and data of a session, wherever it lives. */
export type SessionContent = Pick<StoredSession, "header" | "data" | "opened">;

/**
 * Why a sealed text is no session of ours: `unreadable` if it was changed, is in another place or
 * holds something else, `foreign` if it names another issuer or client, `unknown-key` if none of
 * our keys sealed it.
 */
export type NoSession = "unreadable" | "foreign" | "unknown-key";

/** Makes a sealed text of a session, and a session of a sealed text. */
export interface SessionSeal {
  /** Whether this is the id of one of our keys. */
  knowsKey(id: string): boolean;
  /** The id of the current key. */
  keyId(): string;
  /**
   * The place in the store for a session in a cookie: always the same, and secret without our key.
   */
  handleOf(header: SessionHeader): SessionHandle;
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
  readonly keys: () => KeyRing;
  readonly registration: ClientRegistration;
  /** Whether a session without issuer and client is refused. */
  readonly requireIssuer: boolean;
}

export function createSessionSeal(options: SessionSealOptions): SessionSeal {
  const { keys, registration, requireIssuer } = options;
  return {
    knowsKey: (id) => keys().byId.has(id),
    keyId: () => keys().current.id,
    handleOf({ id, subTag, sidTag }) {
      const { current } = keys();
      return { subTag, sidTag, secret: keyedHash(current.key, `handle ${id}`), keyId: current.id };
    },
    seal({ header, data, opened }, key) {
      const text = opened?.data === data ? opened.text : JSON.stringify(data);
      const sealed = sealText(keys(), { ...header, ...registration, place: placeOf(key) }, text);
      if (sealed.length <= longestJWE) return sealed;
      throw sessionTooLarge(data, `${sealed.length} bytes sealed, ${longestJWE} allowed`);
    },
    open(sealed, key) {
      const opened = openText(keys(), sealed);
      if (opened === "unknown-key") return opened;
      if (opened === "malformed" || !isSealedHeader(opened.header)) return "unreadable";
      const { header } = opened;
      if (isOfAnother(header, registration)) return "foreign";
      if (requireIssuer && !namesIssuer(header)) return "unreadable";
      // Former versions sealed records without it.
      if (header.place !== undefined && header.place !== placeOf(key)) return "unreadable";
      const { text } = opened;
      const data = parseJSON(text);
      return isSessionData(data)
        ? { header: completeHeader(header, data, registration), data, opened: { data, text } }
        : "unreadable";
    },
  };
}

function isOfAnother(header: SealedHeader, { issuer, client }: ClientRegistration): boolean {
  return (header.issuer ?? issuer) !== issuer || (header.client ?? client) !== client;
}

/** The key of a record without the user, whom the header names. */
function placeOf(key: string | undefined): string | undefined {
  return key?.slice(key.lastIndexOf("|") + 1);
}

function namesIssuer({ issuer, client }: SealedHeader): boolean {
  return issuer !== undefined && client !== undefined;
}

/**
 * A session made elsewhere has neither tags nor an id. Both come from its data, so all its copies
 * share them and its end can be remembered.
 */
function completeHeader(
  header: SealedHeader,
  { user }: SessionData,
  registration: ClientRegistration,
): SessionHeader {
  const { id, subTag: known } = header;
  if (id !== undefined && known !== undefined) return { ...header, id, subTag: known };
  const sid = typeof user.sid === "string" ? user.sid : undefined;
  const tags = sessionTags(registration, { sub: user.sub, sid });
  return { ...header, id: id ?? `${tags.subTag}.${header.iat}`, ...tags };
}
