/** Recent session changes made by this process, so that older requests do not undo them. */
import type { StoredSession } from "../session/session.ts";
import type { SessionEnding } from "../session/sessions.ts";
import type { RecentMap } from "../time/recent-map.ts";

/** See `Context.recentChanges`. */
type Changes = RecentMap<number | SessionEnding>;

/**
 * Remembers an update of a session; older requests may still have it in a cookie, also after its
 * move to the store.
 */
export function rememberUpdate(changes: Changes, stored: StoredSession): void {
  const { id, changed } = stored.header;
  if (changed === undefined || isOutdated(changes, stored)) return;
  changes.set(id, changed);
}

/**
 * Whether this process has updated the session since: then the older cookie of a request must not
 * be written. In the store, compare-and-set keeps the order.
 */
export function isOutdated(
  changes: Changes,
  { header: { id, changed = 0 }, record }: StoredSession,
): boolean {
  const change = changes.get(id);
  return record === null && typeof change === "number" && change > changed;
}

/**
 * How this process has lately ended the session. An older request, for example in another tab,
 * must neither bring it back nor clear a newer one.
 */
export function endingOf(changes: Changes, id: string | undefined): SessionEnding | null {
  const change = id === undefined ? undefined : changes.get(id);
  return typeof change === "string" ? change : null;
}
