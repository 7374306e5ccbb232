import type { CryptoKey, JWK } from "jose";
import { compactVerify } from "jose/jws/compact/verify";
import { importJWK } from "jose/key/import";

import type { CompactJWS } from "./compact-jws.ts";

/** A key to verify signatures with. */
export type VerifyKey = CryptoKey | Uint8Array;

/** A public key ready for use; `null` for a bad point, too few bits or an unknown curve. */
export async function importPublicKey(jwk: JWK, alg: string): Promise<VerifyKey | null> {
  try {
    const key = await importJWK(jwk, alg);
    return key instanceof Uint8Array || isWeak(key) ? null : key;
  } catch {
    return null;
  }
}

function isWeak({ algorithm }: { readonly algorithm: KeyAlgorithm }): boolean {
  return "modulusLength" in algorithm && Number(algorithm.modulusLength) < 2048;
}

/** A shared secret as a key; `null` for an empty one, which anybody shares. */
export function secretKey(secret: string): VerifyKey | null {
  return secret === "" ? null : new TextEncoder().encode(secret);
}

/** Returns whether the key verifies the signature, with the token's algorithm (RFC 7515, 5.2). */
export async function verifies({ token, header }: CompactJWS, key: VerifyKey): Promise<boolean> {
  try {
    await compactVerify(token, key, { algorithms: [header.alg] });
    return true;
  } catch {
    return false;
  }
}
