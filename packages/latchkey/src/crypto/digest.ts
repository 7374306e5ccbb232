/** Digests by the names of Web Crypto, which Node knows, too. */
export type DigestName = "SHA-256" | "SHA-384" | "SHA-512";

/** The digest of a text in UTF-8, where only Web APIs exist. */
export async function digest(name: DigestName, text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest(name, new TextEncoder().encode(text)));
}
