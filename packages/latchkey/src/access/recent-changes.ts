/** What this process has lately done to sessions, for requests that began before. */
import type { Context } from "../context.ts";
import type { StoredSession } from "../session/session.ts";
import type { SessionEnding } from "../session/sessions.ts";

/** Remembers an update of a session; older requests may have it in a cookie still, where it has moved into the store. */
export function rememberUpdate(context: Context, stored: StoredSession): void {
  const { id, changed } = stored.header;
  if (changed === undefined || isOutdated(context, stored)) return;
  context.recentChanges.set(id, changed);
}

/**
 * Whether this process has updated the session since: then the cookie that a request has must not be written any more.
 * In the store, compare-and-set keeps the order.
 */
export function isOutdated(
  { recentChanges }: Context,
  { header: { id, changed = 0 }, record }: StoredSession,
): boolean {
  const change = recentChanges.get(id);
  return record === null && typeof change === "number" && change > changed;
}

/**
 * How this process has lately ended the session: then its browser was told, and a request that began before, in another
 * tab for one, must neither bring it back nor take a newer one away.
 */
export function endingOf({ recentChanges }: Context, id: string | undefined): SessionEnding | null {
  const change = id === undefined ? undefined : recentChanges.get(id);
  return typeof change === "string" ? change : null;
}
