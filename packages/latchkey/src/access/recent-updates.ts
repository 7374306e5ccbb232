import type { Context } from "../context.ts";
import type { StoredSession } from "../session/session.ts";

type Updates = Pick<Context, "recentUpdates">;

/** Remembers an update of a session; older requests may have it in a cookie still, where it has moved into the store. */
export function rememberUpdate(updates: Updates, stored: StoredSession): void {
  const { id, changed } = stored.header;
  if (changed === undefined || isOutdated(updates, stored)) return;
  updates.recentUpdates.delete(id);
  updates.recentUpdates.add(id, changed);
}

/**
 * Whether this process has updated the session since: then the cookie that a request has must not be written any more.
 * In the store, compare-and-set keeps the order.
 */
export function isOutdated(
  { recentUpdates }: Updates,
  { header: { id, changed = 0 }, record }: StoredSession,
): boolean {
  return record === null && (recentUpdates.get(id) ?? 0) > changed;
}
