import { activeSession } from "../session/read-session.ts";
import type { StoredSession } from "../session/session.ts";
import type { Changed } from "../session/sessions.ts";
import type { Exchange } from "./exchange.ts";

/** After so many tries the last result stands, whatever else has changed the session. */
const triesAtMost = 100;

/**
 * Changes the session of a request; the response carries the result. If the same request has changed a session in the
 * cookie meanwhile, the change runs again on the newer session, so that both changes apply. In the store, compare-and-set
 * does this.
 *
 * @param check - throws if the response must not carry what was written
 * @returns the session as it is now; `null` where there is none, or where it has ended
 */
export async function changeSession(
  exchange: Exchange,
  change: (stored: StoredSession) => Promise<Changed>,
  check: (changed: NonNullable<Changed>, before: StoredSession) => void = () => undefined,
  triesLeft = triesAtMost,
): Promise<StoredSession | null> {
  const stored = activeSession(await exchange.use());
  if (stored === null) return null;
  const changed = await change(stored);
  const isOvertaken = stored.record === null && activeSession(exchange.current()) !== stored;
  if (isOvertaken && triesLeft > 0) {
    return changeSession(exchange, change, check, triesLeft - 1);
  }
  if (changed === null) {
    exchange.clear();
    return null;
  }
  check(changed, stored);
  if (changed.setCookies !== null) exchange.keep(changed);
  return changed.stored;
}
