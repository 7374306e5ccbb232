import type { SealedNames } from "../config/sealed-names.ts";
import { sha256 } from "../crypto/digest.ts";

/** For whom an ID token is: identity belongs to an issuer and a client (RFC 7519, section 2). */
export interface ClientRegistration {
  readonly issuer: string;
  readonly client: string;
}

/**
 * What the cookie of a session in the store holds: `<subTag>.<secret>.<sidTag>.<key id>`. If it
 * names a connection and a site, it is sealed: former versions would take it for theirs.
 *
 * Only the secret opens anything. The rest lets one question to the store bring everything, and
 * lets an app recognize its own handles among those of other apps on the same host.
 */
export interface SessionHandle extends SealedNames {
  readonly subTag: string;
  /** Random, 256 bits. */
  readonly secret: string;
  readonly sidTag: string | undefined;
  /** The key that sealed the session when this cookie was written. */
  readonly keyId: string;
}

/** Characters of a tag, 96 bits: no two names ever share one. */
const tagLength = 16;
/** Characters of a session id: 132 bits. */
const idLength = 22;
const handleForm = /^([\w-]{16})\.([\w-]{43})\.([\w-]{16})?\.([\w-]{8})$/;

/** Reads the text of a handle; `null` for anything else. */
export function parseHandle(value: string): SessionHandle | null {
  const found = handleForm.exec(value);
  if (found === null) return null;
  const [, subTag = "", secret = "", sidTag, keyId = ""] = found;
  return { subTag, secret, sidTag, keyId };
}

export function formatHandle({ subTag, secret, sidTag = "", keyId }: SessionHandle): string {
  return [subTag, secret, sidTag, keyId].join(".");
}

/**
 * Stands for a user in keys of the store and in headers: one index finds all their sessions, and
 * neither holds a name. It is no secret and opens nothing.
 */
export function userTag({ issuer, client }: ClientRegistration, sub: string): string {
  return tagOf([issuer, client, sub]);
}

/** The same for a session at the provider (`sid`; Back-Channel Logout 1.0, section 2.1). */
export function providerSessionTag({ issuer, client }: ClientRegistration, sid: string): string {
  return tagOf([issuer, client, "sid", sid]);
}

/** Both tags of a sign-in; only the tag of the user if the provider gave no `sid`. */
export function sessionTags(
  registration: ClientRegistration,
  { sub, sid }: { readonly sub: string; readonly sid: string | undefined },
): { readonly subTag: string; readonly sidTag?: string } {
  const subTag = userTag(registration, sub);
  return sid === undefined ? { subTag } : { subTag, sidTag: providerSessionTag(registration, sid) };
}

function tagOf(names: readonly string[]): string {
  return sha256(JSON.stringify(names)).slice(0, tagLength);
}

/** The index of a user's sessions. */
export function userIndex(subTag: string): string {
  return `sessions-of|${subTag}`;
}

/** The id of a session made with this handle; it does not reveal the secret. */
export function sessionIdOf({ secret }: Pick<SessionHandle, "secret">): string {
  return sha256(secret).slice(0, idLength);
}

/** The key of a session: a hash of its secret, useless to a reader of the store. */
export function recordKey(handle: SessionHandle): string {
  return `session|${handle.subTag}|${sha256(handle.secret)}`;
}

/** The key of the note that another device ended a session. */
export function endedRecordKey(key: string): string {
  return `ended-${key}`;
}
