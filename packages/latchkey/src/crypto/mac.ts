import { isSameText, keyedHash } from "./digest.ts";
import type { ContentKey, KeyRing } from "./key-ring.ts";

/** Characters of a MAC: 132 bits. */
const macLength = 22;

/** The MAC of a text by the current key: HMAC-SHA-256 (RFC 2104), truncated, base64url. */
export function macOf({ current }: KeyRing, text: string): string {
  return macBy(current, text);
}

export function isMACOf({ all }: KeyRing, text: string, mac: string): boolean {
  return all.some((key) => isSameText(macBy(key, text), mac));
}

function macBy({ key }: ContentKey, text: string): string {
  return keyedHash(key, text).slice(0, macLength);
}
