/** Bytes as base64url without padding (RFC 4648, section 5), where neither Node nor a library is needed for it. */
export function toBase64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
