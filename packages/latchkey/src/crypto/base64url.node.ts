/** Bytes as base64url without padding (RFC 4648, section 5). */
export function toBase64url(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64url");
}

/** The bytes of a base64url text whose form was checked before. */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  return Buffer.from(text, "base64url");
}
