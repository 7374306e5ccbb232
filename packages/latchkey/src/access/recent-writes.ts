import type { Context } from "../context.ts";
import { encodeBase64url } from "../crypto/base64url.ts";
import { digest } from "../crypto/digest.ts";
import type { SessionResult } from "../session/read-session.ts";
import type { SessionData, StoredSession } from "../session/session.ts";

type Writes = Pick<Context, "recentWrites">;

/** Remembers what was written of a session in a cookie. In the store compare-and-set sees to the order. */
export function rememberWrite({ recentWrites }: Writes, written: SessionResult): void {
  if (written.state !== "active" || written.stored.record !== null) return;
  const { header, data } = written.stored;
  recentWrites.delete(header.id);
  recentWrites.add(header.id, digestOf(data));
}

/**
 * Whether this process has written other data of the session lately: a request that began before that must not bring
 * the former ones back by a mere renewal.
 */
export function isOutdated(
  { recentWrites }: Writes,
  { header, data, record }: StoredSession,
): boolean {
  const newest = record === null ? recentWrites.get(header.id) : undefined;
  return newest !== undefined && newest !== digestOf(data);
}

function digestOf(data: SessionData): string {
  return encodeBase64url(digest("SHA-256", JSON.stringify(data)));
}
