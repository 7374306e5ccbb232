import { Buffer } from "node:buffer";
import { createPublicKey, type KeyObject, verify } from "node:crypto";

import type { CryptoKey, JWK } from "jose";
import { compactVerify } from "jose/jws/compact/verify";
import { importJWK } from "jose/key/import";

import type { CompactJWS } from "./compact-jws.ts";
import { derOf } from "./ecdsa-signature.ts";

/** A key to verify signatures with. */
export type VerifyKey = CryptoKey | Uint8Array | QuickKey;

/** A key of `node:crypto`, which verifies without a hop to another thread (0108). */
interface QuickKey {
  readonly quickFor: "RS256" | "ES256";
  readonly object: KeyObject;
}

/** A public key ready for use; `null` for a bad point, too few bits or an unknown curve. */
export async function importPublicKey(jwk: JWK, alg: string): Promise<VerifyKey | null> {
  try {
    const key = await importJWK(jwk, alg);
    if (key instanceof Uint8Array || isWeak(key)) return null;
    return alg === "RS256" || alg === "ES256"
      ? { quickFor: alg, object: createPublicKey({ key: { ...jwk }, format: "jwk" }) }
      : key;
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
export async function verifies(jws: CompactJWS, key: VerifyKey): Promise<boolean> {
  const { token, header } = jws;
  try {
    if ("quickFor" in key) return header.alg === key.quickFor && verifiesQuickly(token, key);
    await compactVerify(token, key, { algorithms: [header.alg] });
    return true;
  } catch {
    return false;
  }
}

function verifiesQuickly(token: string, { quickFor: alg, object }: QuickKey): boolean {
  const end = token.lastIndexOf(".");
  const sent = Buffer.from(token.slice(end + 1), "base64url");
  const signature = alg === "ES256" ? derOf(sent) : sent;
  const text = Buffer.from(token.slice(0, end), "latin1");
  return signature !== null && verify("sha256", text, object, signature);
}
