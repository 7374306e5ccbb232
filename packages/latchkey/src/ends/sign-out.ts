import { type Context, logOf } from "../context.ts";
import { nowSeconds } from "../config/runtime.ts";
import { carriedSession, foundSession } from "../session/read-session.ts";
import { latestEnd } from "../session/lifetime.ts";
import type { StoredSession } from "../session/session.ts";
import { type SessionHandle, sessionIdOf } from "../session/session-handle.ts";
import type { Exchange } from "../request/exchange.ts";
import { revokeTokens } from "./revoke-tokens.ts";

export interface SignedOutHere {
  /** The ended session, as far as it could be read. */
  readonly stored: StoredSession | null;
  /**
   * By when copies of its cookie end at the latest, in epoch seconds; 0 if they have ended,
   * `undefined` if there was no session.
   */
  readonly copiesEndBy?: number;
  /** Whether its connection is not here: its provider is not known. */
  readonly isOfNoConnection?: true;
}

/**
 * Ends the session of a browser: its cookies go in any case, and its end is pending if the store
 * fails.
 */
export async function signOut(context: Context, exchange: Exchange): Promise<SignedOutHere> {
  const { reader, sessions } = context;
  const result = await exchange.read().catch(() => null);
  exchange.clear();
  if (result === null) return leavePending(context, exchange);
  const stored = foundSession(result);
  if (stored === null) {
    const isKnown = result.state !== "none" || result.reason !== "no-connection";
    return isKnown ? { stored } : { stored, isOfNoConnection: true };
  }
  const { sub, sid } = stored.data.user;
  let newest: StoredSession | null;
  try {
    newest = await sessions.end(stored);
  } catch {
    return leaveSessionPending(context, stored);
  }
  const log = logOf(context, stored.header);
  log({ event: "sign-out", reason: "logout", sub, sid, session: stored.header.id });
  // Without a store, only time ends copies.
  const isOver = context.ended !== null || result.state === "ended";
  const end = latestEndOf(context, stored);
  const bound = reader.device?.endOfCopies(stored.header, nowSeconds(context)) ?? end;
  return { stored: newest ?? stored, copiesEndBy: isOver ? 0 : Math.min(end, bound) };
}

/** The cookies name the session, and its user if it lives in them. */
function leavePending(context: Context, { cookies }: Exchange): SignedOutHere {
  const carried = carriedSession(context.reader, cookies);
  if (carried === null) return { stored: null };
  return "secret" in carried
    ? leaveHandlePending(context, carried)
    : leaveSessionPending(context, { ...carried, record: null });
}

function leaveSessionPending(context: Context, stored: StoredSession): SignedOutHere {
  const { sessions } = context;
  const { header, data, record } = stored;
  const log = logOf(context, header);
  const { id } = header;
  const { sub, sid } = data.user;
  log({ event: "sign-out", reason: "logout", sub, sid, session: id, pending: true });
  const copiesEndBy = latestEndOf(context, stored);
  // The data of a session may be large: what waits holds its names only.
  const names = { header, record: record && { handle: record.handle } };
  const write = () => sessions.end(names);
  sessions.endLater({ session: id, sub, log, until: copiesEndBy, write });
  return { stored, copiesEndBy };
}

function latestEndOf({ connections }: Context, { header }: StoredSession): number {
  return latestEnd(header, connections.ofSession(header).lifetime);
}

function leaveHandlePending(context: Context, handle: SessionHandle): SignedOutHere {
  const { config, sessions } = context;
  const session = sessionIdOf(handle);
  const log = logOf(context, handle);
  const copiesEndBy = latestEnd({ iat: nowSeconds(context) }, config.session.lifetime);
  log({ event: "sign-out", reason: "logout", session, pending: true });
  sessions.endLater({
    session,
    log,
    until: copiesEndBy,
    write: async () => revokeTokens(context, await sessions.endByHandle(handle)),
  });
  return { stored: null, copiesEndBy };
}
