import type { Context } from "../context.ts";
import type { Reason } from "../errors/reasons.ts";
import { Refusal } from "../errors/refusal.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { SessionData, StoredSession } from "../session/session.ts";
import type { WrittenSession } from "../session/sessions.ts";
import type { Exchange } from "./exchange.ts";
import { beforeSave } from "./hooks.ts";
import { checkSize } from "./session-size.ts";

type Change = (data: SessionData) => MaybePromise<SessionData>;

/**
 * Changes the data of a request's session as the app wants it; see {@link saveSession}.
 *
 * @throws {TypeError} where it would be no session any more
 * @throws {Refusal} `session_too_large`; the session stays as it was
 */
export function updateSession(
  context: Context,
  exchange: Exchange,
  change: Change,
): Promise<StoredSession | null> {
  return saveSession(context, exchange, change, ({ setCookies, stored }) =>
    checkSize(context, setCookies, stored.data),
  );
}

/**
 * Changes the data of a request's session; `null` where it has none, or where it was ended meanwhile.
 *
 * @param change - in the store it may be called again, with what somebody else has written meanwhile
 * @param judge - throws where what would be written must not reach the browser
 * @throws {LatchkeyError} `ERR_HEADERS_SENT`
 */
export async function saveSession(
  context: Context,
  exchange: Exchange,
  change: Change,
  judge: (written: WrittenSession) => void = () => undefined,
): Promise<StoredSession | null> {
  exchange.checkOpen();
  const result = await exchange.use();
  if (result.state !== "active") return null;

  async function changeWhileOpen(data: SessionData): Promise<SessionData> {
    const changed = await beforeSave(context, await change(data));
    exchange.checkOpen();
    return changed;
  }

  const { stored } = result;
  const written = await context.sessions.update(stored, changeWhileOpen, exchange.cookies);
  // A record is changed by now, and its cookie stays the same.
  if (stored.record === null) exchange.checkOpen();
  if (written === null) {
    exchange.clear();
    return null;
  }
  judge(written);
  exchange.keep(written);
  return written.stored;
}

/** Ends the session of a request for good. */
export async function endSession(context: Context, exchange: Exchange): Promise<void> {
  const result = await exchange.read();
  const stored = result.state === "none" ? null : result.stored;
  exchange.clear();
  await context.sessions.end(stored);
}

/** Ends the session where the provider has shown something that forbids it. */
export async function endIfForbidden(
  context: Context,
  exchange: Exchange,
  cause: unknown,
): Promise<void> {
  const reasons: readonly Reason[] = ["organization_mismatch"];
  if (!(cause instanceof Refusal) || !reasons.includes(cause.reason)) return;
  await endSession(context, exchange);
  context.log({ event: "sign-out", reason: "ended" });
}
