import type { Context } from "../../context.ts";
import { oneLine } from "../../errors/one-line.ts";
import type { HandOff, SessionResult } from "../../session/read-session.ts";
import type { StoredSession } from "../../session/session.ts";
import { type RefreshResult, withResult } from "../../session/tickets/refresh-result.ts";
import { afterRefresh } from "../hooks.ts";

/** So many refreshes may have passed a browser by. */
const linksAtMost = 4;

type ActiveSession = SessionResult & { readonly state: "active" };

/**
 * Gives a session that a cookie holds the tokens of the refreshes that its browser has missed: a response was lost, or
 * an older one came after it. Where it has none, nobody is asked.
 */
export async function healSession(
  context: Context,
  { state, stored }: ActiveSession,
  handOff: HandOff,
): Promise<ActiveSession> {
  const arrived = markArrived(context, stored, handOff);
  if (handOff.state?.state !== "done") return { state, stored: arrived };
  try {
    const newest = await follow(context, arrived, handOff.state.result);
    context.log({ event: "refresh-healed" });
    return { state, stored: newest, isHealed: true };
  } catch (error) {
    // The tokens stay in their ticket, and the next refresh tells the fault to its caller.
    context.log({
      event: "warning",
      message: oneLine(`A session is not healed: ${String(error)}`),
    });
    return { state, stored: arrived };
  }
}

/**
 * Tokens that come back from the browser are safe once no older response can put older ones in their place: from then
 * on what brought them need not be kept for long.
 */
function markArrived(
  { tickets }: Context,
  stored: StoredSession,
  { formerText }: HandOff,
): StoredSession {
  const { ticket } = stored.header;
  if (ticket === undefined || !tickets.isSafe(ticket, formerText)) return stored;
  // The store has told its fault, and forgets the ticket by itself later.
  tickets.arrive(ticket, formerText).catch(() => undefined);
  const { ticket: _ticket, ...header } = stored.header;
  return { ...stored, header };
}

async function follow(
  context: Context,
  stored: StoredSession,
  result: RefreshResult,
  linksLeft = linksAtMost,
): Promise<StoredSession> {
  const { tickets } = context;
  const content = await afterRefresh(context, withResult(stored, result, tickets.of(stored)?.key));
  const newer = { ...content, record: null };
  const ticket = tickets.of(newer);
  if (ticket === null || linksLeft <= 1) return newer;
  const next = await tickets.look(ticket);
  return next.state === "done" ? follow(context, newer, next.result, linksLeft - 1) : newer;
}

/**
 * The same session with the newest tokens that this process knows of: a request that was read before a refresh must not
 * write the spent ones back. In the store compare-and-set sees to that.
 */
export function withTokensHere(context: Context, stored: StoredSession): StoredSession {
  const ticket = stored.record === null ? context.tickets.of(stored) : null;
  if (ticket === null) return stored;
  const known = context.tickets.known(ticket);
  if (known.state !== "done") return stored;
  return withTokensHere(context, { ...withResult(stored, known.result, ticket.key), record: null });
}
