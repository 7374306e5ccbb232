import { Buffer } from "node:buffer";
import { createHmac, hash, type KeyObject, timingSafeEqual } from "node:crypto";

import { encodeBase64url } from "./base64url.ts";

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
  return encodeBase64url(digest("SHA-256", text));
}

/** Returns whether two texts are equal, in a time independent of their content. */
export function isSameText(one: string, other: string): boolean {
  return timingSafeEqual(digest("SHA-256", one), digest("SHA-256", other));
}

/** The same for two hashes, which have one length: their bytes are compared as they are. */
export function isSameHash(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/**
 * HMAC-SHA-256 of a text, base64url: a name that only a holder of the key can compute (RFC 2104).
 */
export function keyedHash(key: string | KeyObject, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}
