import { encodeBase64url } from "../../crypto/base64url.ts";
import { digest, type DigestName } from "../../crypto/digest.ts";

/**
 * Returns the half hash of a code, an access token or a state in an ID token: the left half of the
 * digest of the token's algorithm, base64url (OpenID Connect Core 3.1.3.6, 3.3.2.11).
 */
export function leftHalfHash(value: string, alg: string): string {
  const whole = digest(digestOf(alg), value);
  return encodeBase64url(whole.subarray(0, whole.length / 2));
}

function digestOf(alg: string): DigestName {
  if (alg.endsWith("256")) return "SHA-256";
  return alg.endsWith("384") ? "SHA-384" : "SHA-512";
}
