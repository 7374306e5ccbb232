import { base64url } from "jose";

/**
 * The half hash with which an ID token names a code, an access token or a state: the left half of the digest
 * that belongs to the token's algorithm, base64url (OpenID Connect Core 3.1.3.6, 3.3.2.11).
 */
export async function halfHash(value: string, alg: string): Promise<string> {
  const digest = await crypto.subtle.digest(digestOf(alg), new TextEncoder().encode(value));
  return base64url.encode(new Uint8Array(digest, 0, digest.byteLength / 2));
}

function digestOf(alg: string): string {
  if (alg.startsWith("Ed")) return "SHA-512";
  return `SHA-${alg.slice(-3)}`;
}
