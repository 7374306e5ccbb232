import { Buffer } from "node:buffer";

import { decodeBase64url, encodeBase64url } from "./base64url.ts";
import type { CompactJWS } from "./compact-jws.ts";
import { signatureAlgorithm } from "./signature-algorithm.ts";

/** A key for signatures of one algorithm, and of no other. */
export interface SignatureKey {
  readonly alg: string;
  readonly key: CryptoKey;
  readonly kid?: string | undefined;
}

/** A public key ready for use; `null` for a bad point, too few bits or an unknown curve. */
export async function importPublicKey(jwk: JsonWebKey, alg: string): Promise<SignatureKey | null> {
  if (jwk.kty === "oct") return null;
  try {
    const algorithm = signatureAlgorithm(alg);
    const key = await crypto.subtle.importKey("jwk", jwk, algorithm, false, ["verify"]);
    return isWeak(key) ? null : { alg, key };
  } catch {
    return null;
  }
}

function isWeak({ algorithm }: CryptoKey): boolean {
  return "modulusLength" in algorithm && Number(algorithm.modulusLength) < 2048;
}

/**
 * A private key from a JWK or from PEM (PKCS #8).
 *
 * @throws where the text is neither, or a key for another algorithm
 */
export async function importPrivateKey(text: string, alg: string): Promise<SignatureKey> {
  const algorithm = signatureAlgorithm(alg);
  if (!text.trimStart().startsWith("{")) {
    const key = await crypto.subtle.importKey("pkcs8", fromPEM(text), algorithm, false, ["sign"]);
    return { alg, key };
  }
  const { kid, alg: _alg, ...jwk } = JSON.parse(text) as JsonWebKey & { readonly kid?: string };
  return { alg, kid, key: await crypto.subtle.importKey("jwk", jwk, algorithm, false, ["sign"]) };
}

function fromPEM(text: string): Buffer<ArrayBuffer> {
  const [, base64 = ""] = /-----BEGIN PRIVATE KEY-----([^-]*)-----END/.exec(text) ?? [];
  return Buffer.from(base64, "base64");
}

/**
 * A shared secret as a key.
 *
 * @throws where it is empty: anybody has that one
 */
export async function importSecret(secret: string, alg: string): Promise<SignatureKey> {
  if (secret === "") throw new TypeError("An empty secret is no key.");
  const algorithm = signatureAlgorithm(alg);
  const usages: KeyUsage[] = ["sign", "verify"];
  return {
    alg,
    key: await crypto.subtle.importKey("raw", bytesOf(secret), algorithm, false, usages),
  };
}

/** Whether the key verifies the signature by the algorithm that both name (RFC 7515, 5.2). */
export async function verifies(
  { token, header }: CompactJWS,
  { alg, key }: SignatureKey,
): Promise<boolean> {
  if (header.alg !== alg) return false;
  const end = token.lastIndexOf(".");
  const signature = decodeBase64url(token.slice(end + 1));
  if (signature === null) return false;
  const signed = bytesOf(token.slice(0, end));
  const verifying = crypto.subtle.verify(signatureAlgorithm(alg), key, signature, signed);
  // Some runtimes reject where the signature has another length than the algorithm gives.
  return verifying.catch(() => false);
}

/** The claims as a compact JWS (RFC 7515, 5.1). */
export async function signClaims(claims: object, { alg, key, kid }: SignatureKey): Promise<string> {
  const parts = [{ alg, kid, typ: "JWT" }, claims];
  const text = parts.map((part) => encodeBase64url(bytesOf(JSON.stringify(part)))).join(".");
  const signature = await crypto.subtle.sign(signatureAlgorithm(alg), key, bytesOf(text));
  return `${text}.${encodeBase64url(new Uint8Array(signature))}`;
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
