import type { Context } from "../context.ts";
import type { StoredSession } from "../session/session.ts";

type Updates = Pick<Context, "recentUpdates">;

/** Remembers an update of a session in a cookie. In the store compare-and-set sees to the order. */
export function rememberUpdate(updates: Updates, stored: StoredSession): void {
  const { id, changed } = stored.header;
  if (changed === undefined || stored.record !== null || isOutdated(updates, stored)) return;
  updates.recentUpdates.delete(id);
  updates.recentUpdates.add(id, changed);
}

/** Whether this process has updated the session since: what a request still has of it must not be written any more. */
export function isOutdated(
  { recentUpdates }: Updates,
  { header: { id, changed = 0 }, record }: StoredSession,
): boolean {
  return record === null && (recentUpdates.get(id) ?? 0) > changed;
}
