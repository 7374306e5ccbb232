import { hash } from "node:crypto";

/** Digests by the names of Web Crypto, which Node knows, too. */
export type DigestName = "SHA-256" | "SHA-384" | "SHA-512";

/** The digest of a text in UTF-8. */
export function digest(name: DigestName, text: string): Uint8Array {
  return hash(name, text, "buffer");
}
