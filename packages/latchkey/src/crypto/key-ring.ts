import { createHmac, createSecretKey } from "node:crypto";

import { parseJSON } from "./json-object.ts";
import {
  type ContentKey,
  deriveContentKey,
  type JWEHeader,
  openJWE,
  parseJWE,
  sealJWE,
} from "./jwe.ts";

/** What a derived key is for. One secret never serves two purposes with the same key. */
export type KeyPurpose = "session" | "transaction" | "refresh" | "activity";

/** HKDF info strings. The one of the session is fixed by the wire format of existing cookies. */
const infoOf: Readonly<Record<KeyPurpose, string>> = {
  session: "JWE CEK",
  transaction: "latchkey transaction",
  refresh: "latchkey refresh",
  activity: "latchkey activity",
};

/** Keys of one purpose, derived once: the first seals, all may open. */
export interface KeyRing {
  readonly current: ContentKey;
  readonly all: readonly ContentKey[];
  readonly byId: ReadonlyMap<string, ContentKey>;
  readonly watch: KeyWatch | undefined;
}

/** Is told what keys are used for. */
export interface KeyWatch {
  readonly onOpened: (key: ContentKey) => void;
  readonly onSealed: (key: ContentKey) => void;
}

/** An opened JWE: its authenticated header and its plaintext. */
export interface OpenedText {
  readonly header: JWEHeader;
  readonly text: string;
}

/** Why a text cannot be opened: it was changed or is none of ours, or a key that is not here sealed it. */
export type NotOpened = "malformed" | "unknown-key";

/**
 * Derives the keys of one purpose from the configured secrets, in their order: HKDF-SHA-256, empty salt,
 * 32 bytes. A key derivation is too slow for a request: keep the ring.
 */
export function deriveKeyRing(
  secrets: readonly string[],
  purpose: KeyPurpose,
  watch?: KeyWatch,
): KeyRing {
  const all = secrets.map((secret) => deriveContentKey(secret, infoOf[purpose]));
  const [current] = all;
  if (current === undefined) throw new TypeError("A key ring needs a secret");
  return { current, all, byId: new Map(all.map((key) => [key.id, key])), watch };
}

/**
 * The key ring of the secrets in force: derived when it is first needed, and again where they were
 * exchanged.
 */
export function keyRingInForce(
  from: { readonly secrets: readonly string[] },
  purpose: KeyPurpose,
  watch?: KeyWatch,
): () => KeyRing {
  let ring: KeyRing | undefined;
  let secrets: readonly string[] | undefined;
  return () => {
    if (ring === undefined || secrets !== from.secrets) {
      ring = deriveKeyRing(from.secrets, purpose, watch);
      secrets = from.secrets;
    }
    return ring;
  };
}

/**
 * The same keys, bound to a text: what they seal opens only for whoever has a key of the app and that text. One
 * HMAC-SHA-256 a key, so it is cheap enough for a request.
 */
export function bindKeyRing({ current, all }: KeyRing, text: string): KeyRing {
  const bind = ({ id, key }: ContentKey): ContentKey => ({
    id,
    key: createSecretKey(createHmac("sha256", key).update(text).digest()),
  });
  const bound = all.map(bind);
  return {
    current: bind(current),
    all: bound,
    byId: new Map(bound.map((key) => [key.id, key])),
    watch: undefined,
  };
}

/** Seals with the current key and names it in the header. */
export function sealText({ current, watch }: KeyRing, header: JWEHeader, text: string): string {
  watch?.onSealed(current);
  return sealJWE(current, { ...header, kid: current.id }, text);
}

/** The id of the key that a sealed text names; `undefined` where it names none in the form of ours. */
export function keyIdIn(value: string): string | undefined {
  const kid = parseJWE(value)?.header["kid"];
  return typeof kid === "string" && /^[\w-]{8}$/.test(kid) ? kid : undefined;
}

/**
 * Opens a sealed text. Where the header names a key, that key alone is tried, so that many secrets cost
 * no more than one; a text from elsewhere, which names none, is tried with each in turn.
 */
export function openText(ring: KeyRing, value: string): OpenedText | NotOpened {
  const parts = parseJWE(value);
  if (parts === null) return "malformed";
  const { header } = parts;
  const { kid } = header;
  const named = typeof kid === "string" ? ring.byId.get(kid) : undefined;
  if (kid !== undefined && named === undefined) return "unknown-key";
  for (const key of named === undefined ? ring.all : [named]) {
    const text = openJWE(key, parts);
    if (text === null) continue;
    ring.watch?.onOpened(key);
    return { header, text };
  }
  return named === undefined ? "unknown-key" : "malformed";
}

/** Seals a value as JSON; its key id alone can be read. */
export function sealJSON(keys: KeyRing, value: unknown): string {
  return sealText(keys, {}, JSON.stringify(value));
}

/** The value that was sealed; `null` where no key of ours opens the text, or where it holds no JSON. */
export function openJSON(keys: KeyRing, text: string): unknown {
  const opened = openText(keys, text);
  return typeof opened === "string" ? null : parseJSON(opened.text);
}
