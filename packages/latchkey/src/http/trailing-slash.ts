/**
 * Returns an address or a path of the settings without the slashes at its end: their number says
 * nothing.
 */
export function withoutTrailingSlashes(written: string): string {
  return written.replace(/\/+$/, "");
}

/**
 * Returns the path of a request, or an issuer, without the one slash that some hosts and providers
 * put at its end. With several slashes it is another path.
 */
export function withoutTrailingSlash(path: string): string {
  return path.replace(/\/$/, "");
}
