import { Buffer } from "node:buffer";
import type { CryptoKey, JWK } from "jose";
import { compactVerify } from "jose/jws/compact/verify";
import { importJWK } from "jose/key/import";

import { decodeBase64url } from "./base64url.ts";
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
export async function verifies(jws: CompactJWS, key: VerifyKey): Promise<boolean> {
  try {
    return key instanceof Uint8Array
      ? await verifiesWithSecret(jws, key)
      : await verifiesWithPublicKey(jws, key);
  } catch {
    return false;
  }
}

/** Returns whether one of the keys verifies the signature. */
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

async function verifiesWithSecret({ token, header }: CompactJWS, key: Uint8Array) {
  return (await compactVerify(token, key, { algorithms: [header.alg] })) !== null;
}

/** How Web Crypto verifies an algorithm, and what the key must be made for. */
interface Verification {
  readonly parameters: {
    readonly name: string;
    readonly hash?: string;
    readonly saltLength?: number;
  };
  /** Members of the algorithm of the key. */
  readonly key: { readonly hash?: string; readonly namedCurve?: string };
}

const ed25519: Verification = { parameters: { name: "Ed25519" }, key: {} };

/** RFC 7518, section 3; RFC 8037; RFC 9864. A salt is as long as the hash. */
const verifications: ReadonlyMap<string, Verification> = new Map([
  ["RS256", withRSA("256")],
  ["RS384", withRSA("384")],
  ["RS512", withRSA("512")],
  ["PS256", withRSA("256", 32)],
  ["PS384", withRSA("384", 48)],
  ["PS512", withRSA("512", 64)],
  ["ES256", withCurve("256", "P-256")],
  ["ES384", withCurve("384", "P-384")],
  ["ES512", withCurve("512", "P-521")],
  ["EdDSA", ed25519],
  ["Ed25519", ed25519],
]);

function withRSA(bits: string, saltLength?: number): Verification {
  const parameters =
    saltLength === undefined ? { name: "RSASSA-PKCS1-v1_5" } : { name: "RSA-PSS", saltLength };
  return { parameters, key: { hash: `SHA-${bits}` } };
}

function withCurve(bits: string, namedCurve: string): Verification {
  return { parameters: { name: "ECDSA", hash: `SHA-${bits}` }, key: { namedCurve } };
}

/** Web Crypto alone: the token was taken apart before, so a library would do it again. */
async function verifiesWithPublicKey({ token, header }: CompactJWS, key: CryptoKey) {
  const verification = verifications.get(header.alg);
  if (verification === undefined || !isMadeFor(key, verification)) return false;
  const end = token.lastIndexOf(".");
  const signature = decodeBase64url(token.slice(end + 1));
  if (signature === null) return false;
  const signed = Buffer.from(token.slice(0, end));
  return crypto.subtle.verify(verification.parameters, key, signature, signed);
}

/** A key is made for one algorithm, whatever a token names (RFC 8725, 3.1). */
function isMadeFor({ algorithm, usages }: CryptoKey, { parameters, key }: Verification): boolean {
  const made: MadeFor = algorithm;
  return (
    made.name === parameters.name &&
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
