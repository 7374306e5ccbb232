import { Buffer } from "node:buffer";

import { decodeBase64url } from "./base64url.ts";
import type { CompactJWS } from "./compact-jws.ts";
import { importJWK } from "./import-key.ts";
import type { JSONObject } from "./json-object.ts";
import {
  keyPairAlgorithms,
  secretAlgorithms,
  type SignatureAlgorithm,
} from "./signature-algorithms.ts";

/** A key to verify signatures with: returns whether one is its own. */
export type VerifyKey = (jws: CompactJWS) => Promise<boolean>;

/** A public key ready for use; `null` for a bad point, too few bits or an unknown curve. */
export async function importPublicKey(jwk: JSONObject, alg: string): Promise<VerifyKey | null> {
  try {
    const key = await importJWK(jwk, alg, "verify");
    return isWeak(key) ? null : (jws) => verifiesWithPublicKey(jws, key);
  } catch {
    return null;
  }
}

/** Whether a key of RSA has too few bits (RFC 7518, section 3.3). */
export function isWeak({ algorithm }: { readonly algorithm: object }): boolean {
  return "modulusLength" in algorithm && Number(algorithm.modulusLength) < 2048;
}

/** A shared secret as a key; `null` for an empty one, which anybody shares. */
export function secretKey(secret: string): VerifyKey | null {
  const bytes = new TextEncoder().encode(secret);
  return secret === "" ? null : (jws) => verifiesWithSecret(jws, bytes);
}

/** Returns whether the key verifies the signature, with the token's algorithm (RFC 7515, 5.2). */
export async function verifies(jws: CompactJWS, key: VerifyKey): Promise<boolean> {
  try {
    return await key(jws);
  } catch {
    return false;
  }
}

export async function verifiesWithAny(
  jws: CompactJWS,
  keys: readonly VerifyKey[],
): Promise<boolean> {
  for (const key of keys) {
    // oxlint-disable-next-line no-await-in-loop -- the first key that verifies ends it
    if (await verifies(jws, key)) return true;
  }
  return false;
}

async function verifiesWithSecret(jws: CompactJWS, secret: Uint8Array<ArrayBuffer>) {
  const algorithm = secretAlgorithms.get(jws.header.alg);
  if (algorithm === undefined) return false;
  const key = await crypto.subtle.importKey("raw", secret, algorithm.key, false, ["verify"]);
  return isSignedBy(jws, key, algorithm);
}

async function verifiesWithPublicKey(jws: CompactJWS, key: CryptoKey) {
  const algorithm = keyPairAlgorithms.get(jws.header.alg);
  return algorithm !== undefined && isMadeFor(key, algorithm) && isSignedBy(jws, key, algorithm);
}

async function isSignedBy(
  { token }: CompactJWS,
  key: CryptoKey,
  { signature }: SignatureAlgorithm,
) {
  const end = token.lastIndexOf(".");
  const bytes = decodeBase64url(token.slice(end + 1));
  if (bytes === null) return false;
  return crypto.subtle.verify(signature, key, bytes, Buffer.from(token.slice(0, end)));
}

/** A key is made for one algorithm, whatever a token names (RFC 8725, 3.1). */
function isMadeFor({ algorithm, usages }: CryptoKey, { key }: SignatureAlgorithm): boolean {
  const made: MadeFor = algorithm;
  return (
    made.name === key.name &&
    made.hash?.name === key.hash &&
    made.namedCurve === key.namedCurve &&
    usages.includes("verify")
  );
}

/** The algorithm of a key, with the members of RSA and of curves. */
interface MadeFor extends KeyAlgorithm {
  readonly hash?: KeyAlgorithm;
  readonly namedCurve?: string;
}
