/** The name of the small cookie beside a session cookie (decision 0129): never one of a chunk. */
export function lastUseName(sessionCookie: string): string {
  return `${sessionCookie}.t`;
}
