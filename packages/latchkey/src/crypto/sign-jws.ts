import { Buffer } from "node:buffer";

import { encodeBase64url } from "./base64url.ts";
import type { JSONObject } from "./json-object.ts";
import {
  keyPairAlgorithms,
  secretAlgorithms,
  type SignatureAlgorithm,
} from "./signature-algorithms.ts";
import { isWeak } from "./signature.ts";

/** The header of a JWS: its algorithm, and the id of its key if that has one. */
export interface SignatureHeader {
  readonly alg: string;
  readonly kid?: string | undefined;
}

/**
 * Signs a payload as a compact JWS with a private key (RFC 7515, section 5.1).
 *
 * @throws {TypeError} for a key of too few bits
 */
export async function signWithPrivateKey(
  header: SignatureHeader,
  payload: JSONObject,
  key: CryptoKey,
): Promise<string> {
  if (isWeak(key)) throw new TypeError("The private key has less than 2048 bits");
  return sign(header, payload, { key, algorithm: keyPairAlgorithms.get(header.alg) });
}

/** The same with HMAC-SHA-256 under a shared secret. */
export async function signWithSecret(payload: JSONObject, secret: string): Promise<string> {
  const alg = "HS256";
  const algorithm = secretAlgorithms.get(alg);
  const bytes = Buffer.from(secret);
  const { subtle } = crypto;
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await subtle.importKey("raw", bytes, hmac, false, ["sign"]);
  return sign({ alg }, payload, { key, algorithm });
}

interface Signing {
  readonly key: CryptoKey;
  readonly algorithm: SignatureAlgorithm | undefined;
}

async function sign(
  header: SignatureHeader,
  payload: JSONObject,
  { key, algorithm }: Signing,
): Promise<string> {
  if (algorithm === undefined) throw new TypeError(`${header.alg} signs nothing`);
  const signed = `${encodeJSON(header)}.${encodeJSON(payload)}`;
  const signature = await crypto.subtle.sign(algorithm.signature, key, Buffer.from(signed));
  return `${signed}.${encodeBase64url(new Uint8Array(signature))}`;
}

function encodeJSON(value: object): string {
  return encodeBase64url(Buffer.from(JSON.stringify(value)));
}
