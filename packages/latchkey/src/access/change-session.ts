import { activeSession } from "../session/read-session.ts";
import type { StoredSession } from "../session/session.ts";
import type { Changed } from "../session/sessions.ts";
import type { Exchange } from "./exchange.ts";

/** A change is made so often before it is kept whatever others have changed. */
const triesAtMost = 100;

/**
 * Changes the session of a request, and keeps what was made of it. Where the same request has changed a session in the
 * cookie meanwhile, the change is made again to the newer one: of two at the same time both count. In the store
 * compare-and-set sees to that.
 *
 * @param judge - throws where what was written must not be kept
 * @returns the session as it is now; `null` where there is none, or where it has ended
 */
export async function changeSession(
  exchange: Exchange,
  change: (stored: StoredSession) => Promise<Changed>,
  judge: (changed: NonNullable<Changed>, before: StoredSession) => void = () => undefined,
  triesLeft = triesAtMost,
): Promise<StoredSession | null> {
  const stored = activeSession(await exchange.use());
  if (stored === null) return null;
  const changed = await change(stored);
  const isOvertaken = stored.record === null && activeSession(exchange.current()) !== stored;
  if (isOvertaken && triesLeft > 0) {
    return changeSession(exchange, change, judge, triesLeft - 1);
  }
  if (changed === null) {
    exchange.clear();
    return null;
  }
  judge(changed, stored);
  if (changed.setCookies !== null) exchange.keep(changed);
  return changed.stored;
}
