/**
 * Returns the media type of a message, in lower case and without parameters (RFC 9110, section
 * 8.3.1); an empty text without one.
 */
export function mediaTypeOf(headers: { get(name: string): string | null }): string {
  const [type = ""] = (headers.get("content-type") ?? "").split(";", 1);
  return type.trim().toLowerCase();
}
