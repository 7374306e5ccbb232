import { Buffer } from "node:buffer";

/** Bytes as base64url without padding (RFC 4648, section 5). */
export function encodeBase64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}

/**
 * Returns the bytes of a base64url text; `null` unless the text is their one canonical spelling.
 */
export function decodeBase64url(text: string): Buffer<ArrayBuffer> | null {
  // Node skips characters outside base64url, so the length shows them; those of plain base64 pass,
  // and those outside Latin-1 by their lowest eight bits.
  if (text.includes("+") || text.includes("/") || !endsCanonically(text)) return null;
  if (Buffer.byteLength(text) !== text.length) return null;
  const bytes = Buffer.from(text, "base64url");
  return bytes.length === Math.floor((text.length * 3) / 4) ? bytes : null;
}

const lastOfTwo = "AQgw";
const lastOfThree = "AEIMQUYcgkosw048";

/** Returns whether decoding drops no bits of the last character (RFC 4648, section 3.5). */
function endsCanonically(text: string): boolean {
  const rest = text.length % 4;
  if (rest === 1) return false;
  return rest === 0 || (rest === 2 ? lastOfTwo : lastOfThree).includes(text.slice(-1));
}
