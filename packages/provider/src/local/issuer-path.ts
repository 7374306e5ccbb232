/** The path of an issuer, without a final slash; empty for one at the root of its origin. */
export function basePathOf(issuer: string): string {
  return new URL(issuer).pathname.replace(/\/$/u, "");
}
