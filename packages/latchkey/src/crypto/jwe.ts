import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv } from "node:crypto";

import { decodeBase64url, encodeBase64url } from "./base64url.ts";
import { isJSONObject, type JSONObject, parseJSON } from "./json-object.ts";
import type { ContentKey, KeyRing } from "./key-ring.ts";
import { randomBytes } from "./random-bytes.ts";

/** An opened JWE: its authenticated header and its plaintext. */
export interface OpenedText {
  readonly header: JSONObject;
  readonly text: string;
}

/** Why a text cannot be opened: it was changed or is not ours, or its key is unknown here. */
export type NotOpened = "malformed" | "unknown-key";

/** Seals with the current key and names it in the header. */
export function sealText({ current, watch }: KeyRing, header: JSONObject, text: string): string {
  watch?.onSealed(current);
  return sealJWE(current, { ...header, kid: current.id }, text);
}

/** Returns the key id of a sealed text; `undefined` if it has none in our format. */
export function keyIdIn(value: string): string | undefined {
  const kid = parseJWE(value)?.header["kid"];
  return typeof kid === "string" && /^[\w-]{8}$/.test(kid) ? kid : undefined;
}

/**
 * Opens a sealed text. If the header has a key id, only that key is tried, so many secrets cost no
 * more than one. A text without a key id is tried with each key.
 */
export function openText(ring: KeyRing, value: string): OpenedText | NotOpened {
  const parts = parseJWE(value);
  return parts === null ? "malformed" : openParts(ring, parts);
}

/** The same for a parsed text, whose header may decide which keys to try. */
export function openParts(ring: KeyRing, parts: JWEParts): OpenedText | NotOpened {
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

/** Returns the sealed value; `null` if no key of ours opens the text, or if it holds no JSON. */
export function openJSON(keys: KeyRing, text: string): unknown {
  const opened = openText(keys, text);
  return typeof opened === "string" ? null : parseJSON(opened.text);
}

/** A parsed compact JWE in our format. Only decryption can show whether it is genuine. */
export interface JWEParts {
  readonly header: JSONObject;
  /** The encoded header: the additional authenticated data. */
  readonly aad: string;
  readonly iv: Uint8Array;
  readonly ciphertext: Uint8Array;
  readonly tag: Uint8Array;
}

/** The longest value, in characters: larger than any session in a browser. */
export const longestJWE = 128 * 1024;
/** Bytes of an initialization vector of AES-GCM (NIST SP 800-38D, section 8.2.2). */
const ivBytes = 12;
const tagBytes = 16;

/**
 * Seals a text as a compact JWE, `dir` + `A256GCM` (RFC 7516, section 7.1).
 *
 * @param iv - 96 bits, never used twice with one key; random by default. A `Buffer` needs no copy
 */
export function sealJWE(
  { key }: ContentKey,
  header: JSONObject,
  plaintext: string,
  iv: Uint8Array = Buffer.from(randomBytes(ivBytes)),
): string {
  const protectedHeader = JSON.stringify({ alg: "dir", enc: "A256GCM", ...header });
  const aad = Buffer.from(protectedHeader).toString("base64url");
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  cipher.setAAD(Buffer.from(aad, "latin1"));
  const ciphertext = cipher.update(plaintext, "utf8");
  // GCM holds nothing back: the final call adds no bytes and makes the tag.
  cipher.final();
  const encoded = ciphertext.toString("base64url");
  const tag = cipher.getAuthTag().toString("base64url");
  return `${aad}..${encodeBase64url(iv)}.${encoded}.${tag}`;
}

/** Opens a value of {@link sealJWE}; `null` with another key or after any change. */
export function openJWE({ key }: ContentKey, parts: JWEParts): string | null {
  const { aad, iv, ciphertext, tag } = parts;
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(aad, "latin1"));
    decipher.setAuthTag(tag);
    const plaintext = decipher.update(ciphertext);
    decipher.final();
    return plaintext.toString("utf8");
  } catch {
    return null;
  }
}

/**
 * Parses a compact JWE and checks its form before any decryption. Returns `null` for anything we
 * did not make: `alg` other than `dir`, `enc` other than `A256GCM`, `zip`, `crit`, wrong lengths,
 * or a part in a non-canonical spelling.
 */
export function parseJWE(value: string): JWEParts | null {
  if (value.length > longestJWE) return null;
  const [aad, key, ...encoded] = value.split(".", 6);
  if (aad === undefined || key !== "" || encoded.length !== 3) return null;
  const [iv = null, ciphertext = null, tag = null] = encoded.map(decodeBase64url);
  if (iv?.length !== ivBytes || tag?.length !== tagBytes || !ciphertext?.length) return null;
  const header = parseJSON(decodeBase64url(aad)?.toString("utf8") ?? "");
  if (!isJSONObject(header) || header["alg"] !== "dir" || header["enc"] !== "A256GCM") {
    return null;
  }
  return "zip" in header || "crit" in header ? null : { header, aad, iv, ciphertext, tag };
}
