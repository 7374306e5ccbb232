import { base64url, CompactEncrypt, compactDecrypt } from "jose";

import { isCanonicalBase64url, type JWEHeader, type JWEParts, readJWE } from "./jwe-header.ts";

/** A key to seal and open with; `id` names it in the header and tells nothing of it. */
export interface ContentKey {
  readonly id: string;
  readonly key: CryptoKey;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Derives a content key from a secret: HKDF-SHA-256, empty salt, 32 bytes (RFC 5869). */
export async function deriveContentKey(secret: string, info: string): Promise<ContentKey> {
  const material = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, [
    "deriveBits",
  ]);
  const bits = await crypto.subtle.deriveBits(hkdf(info), material, 256);
  const id = await crypto.subtle.deriveBits(hkdf(`${info} key id`), material, 48);
  const key = await crypto.subtle.importKey("raw", bits, "AES-GCM", false, ["encrypt", "decrypt"]);
  return { id: base64url.encode(new Uint8Array(id)), key };
}

function hkdf(info: string): HkdfParams {
  return { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encoder.encode(info) };
}

/** Seals a text as a compact JWE, `dir` + `A256GCM` (RFC 7516, 7.1), where only Web APIs exist. */
export function sealJWE(
  { key }: ContentKey,
  header: JWEHeader,
  plaintext: string,
  iv?: Uint8Array,
): Promise<string> {
  const jwe = new CompactEncrypt(encoder.encode(plaintext)).setProtectedHeader({
    alg: "dir",
    enc: "A256GCM",
    ...header,
  });
  return (iv === undefined ? jwe : jwe.setInitializationVector(iv)).encrypt(key);
}

/** Opens what {@link sealJWE} made; `null` when the key does not fit or anything was changed. */
export async function openJWE({ key }: ContentKey, parts: JWEParts): Promise<string | null> {
  const { aad, iv, ciphertext, tag } = parts;
  if (!isCanonicalBase64url(ciphertext)) return null;
  try {
    const { plaintext } = await compactDecrypt(`${aad}..${iv}.${ciphertext}.${tag}`, key, {
      keyManagementAlgorithms: ["dir"],
      contentEncryptionAlgorithms: ["A256GCM"],
    });
    return decoder.decode(plaintext);
  } catch {
    return null;
  }
}

/** Takes a compact JWE apart without opening it. */
export function parseJWE(value: string): JWEParts | null {
  return readJWE(value, decodeText);
}

function decodeText(value: string): string {
  return decoder.decode(base64url.decode(value));
}
