import { Buffer } from "node:buffer";
import { createHmac, hash, type KeyObject, timingSafeEqual } from "node:crypto";

/** Digests by the names of Web Crypto. */
export type DigestName = "SHA-256" | "SHA-384" | "SHA-512";

/** Some runtimes with `node:crypto` do not know the names of Web Crypto there. */
const nodeNames = { "SHA-256": "sha256", "SHA-384": "sha384", "SHA-512": "sha512" } as const;

/** The digest of a text in UTF-8. */
export function digest(name: DigestName, text: string): Uint8Array {
  return hash(nodeNames[name], text, "buffer");
}

/** The SHA-256 of a text in UTF-8, base64url. */
export function sha256(text: string): string {
  // One call: bytes that leave `node:crypto` cost four times as much as their text.
  return hash("sha256", text, "base64url");
}

/** Returns whether two texts are equal, in a time independent of all but their length. */
export function isSameText(one: string, other: string): boolean {
  const [bytes, others] = [Buffer.from(one), Buffer.from(other)];
  return bytes.length === others.length && timingSafeEqual(bytes, others);
}

/**
 * HMAC-SHA-256 of a text, base64url: a name that only a holder of the key can compute (RFC 2104).
 */
export function keyedHash(key: string | KeyObject, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}
