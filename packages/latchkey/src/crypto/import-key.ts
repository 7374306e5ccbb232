import type { JSONObject } from "./json-object.ts";
import { keyPairAlgorithms, type SignatureAlgorithm } from "./signature-algorithms.ts";

/**
 * Makes a key of a JWK (RFC 7517) ready for one algorithm. What the JWK itself says of its
 * algorithm and its use is for the caller to judge.
 *
 * @throws {DOMException} if it is no such key
 * @throws {TypeError} for an algorithm without a key pair
 */
export async function importJWK(
  jwk: JSONObject,
  alg: string,
  usage: "sign" | "verify",
): Promise<CryptoKey> {
  const { alg: _alg, use: _use, ext: _ext, ...members } = jwk;
  return crypto.subtle.importKey("jwk", members, algorithmOf(alg).key, false, [usage]);
}

/**
 * Makes a private key in PEM ready to sign with one algorithm (PKCS #8, RFC 7468).
 *
 * @throws {DOMException} if it is no such key
 * @throws {TypeError} for an algorithm without a key pair
 */
export async function importPKCS8(pem: string, alg: string): Promise<CryptoKey> {
  const base64 = pem.replaceAll(/-----(?:BEGIN|END) PRIVATE KEY-----|\s/g, "");
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return crypto.subtle.importKey("pkcs8", bytes, algorithmOf(alg).key, false, ["sign"]);
}

function algorithmOf(alg: string): SignatureAlgorithm {
  const algorithm = keyPairAlgorithms.get(alg);
  if (algorithm === undefined) throw new TypeError(`${alg} has no key pair`);
  return algorithm;
}
