import type { Context } from "../context.ts";
import type { DataChange } from "../session/change-record.ts";
import { activeSession } from "../session/read-session.ts";
import type { SessionContent } from "../session/seal.ts";
import type { SessionData, StoredSession } from "../session/session.ts";
import type { Changed } from "../session/sessions.ts";
import type { Exchange } from "./exchange.ts";
import { beforeSave } from "./hooks.ts";
import { checkSize } from "./session-size.ts";

/** See `RequestAuth.update`. */
export function updateSession(
  context: Context,
  exchange: Exchange,
  change: DataChange,
): Promise<StoredSession | null> {
  return saveSession(context, exchange, change, { mustFit: true });
}

/** See `RequestAuth.touch`. */
export function touchSession(context: Context, exchange: Exchange): Promise<StoredSession | null> {
  return saveSession(context, exchange, (data) => data, { isRenewed: true });
}

interface SaveOptions {
  /** Whether a session too large for cookies is refused. */
  readonly mustFit?: boolean;
  /** Whether a session whose data stay as they are is written all the same. */
  readonly isRenewed?: boolean;
}

/**
 * Changes the data of a request's session; `null` if it has none, or if it was ended meanwhile.
 *
 * @param change - may be called again, with what another request wrote meanwhile
 * @throws {LatchkeyError} `ERR_HEADERS_SENT`
 * @throws {Refusal} `session_too_large`, if it must fit
 */
export async function saveSession(
  context: Context,
  exchange: Exchange,
  change: DataChange,
  { mustFit = false, isRenewed = false }: SaveOptions = {},
): Promise<StoredSession | null> {
  exchange.checkOpen();

  async function changeWhileOpen(data: SessionData): Promise<SessionData> {
    const changed = await beforeSave(context, await change(data));
    exchange.checkOpen();
    return changed;
  }

  const renew = async ({ header, data }: SessionContent): Promise<SessionContent> => ({
    header,
    data: await changeWhileOpen(data),
  });

  const { sessions } = context;
  return changeSessionOf(
    exchange,
    (stored) =>
      isRenewed
        ? sessions.change(stored, renew, exchange.cookies)
        : sessions.update(stored, changeWhileOpen, exchange.cookies),
    ({ setCookies, stored }, before) => {
      // A record is changed by now, and its cookie stays the same.
      if (before.record === null) exchange.checkOpen();
      if (mustFit && setCookies !== null) checkSize(context, setCookies, stored.data);
    },
  );
}

/** After so many tries the last result stands, whatever else has changed the session. */
const triesAtMost = 100;

/**
 * Changes the session of a request; the response carries the result. If the same request has
 * changed a session in the cookie meanwhile, the change runs again on the newer session, so that
 * both changes apply. In the store, compare-and-set does this.
 *
 * @param check - throws if the response must not carry what was written
 * @returns the session as it is now; `null` if there is none, or if it has ended
 */
export async function changeSessionOf(
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
    return changeSessionOf(exchange, change, check, triesLeft - 1);
  }
  if (changed === null) {
    exchange.endedMeanwhile();
    return null;
  }
  check(changed, stored);
  if (changed.setCookies !== null) exchange.keep(changed);
  return changed.stored;
}
