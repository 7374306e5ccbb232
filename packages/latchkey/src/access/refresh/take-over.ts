import type { Context } from "../../context.ts";
import type { SessionContent } from "../../session/seal.ts";
import type { StoredSession } from "../../session/session.ts";
import { type RefreshResult, withResult } from "../../session/tickets/refresh-result.ts";
import type { Ticket } from "../../session/tickets/ticket.ts";
import { changeSession } from "../save-session.ts";
import type { Exchange } from "../exchange.ts";
import { afterRefresh } from "../hooks.ts";

/**
 * Puts what a refresh has brought into the session of a request, in the place of the tokens that were spent for it.
 * Tokens that somebody has put there since stay: records change by compare-and-set.
 *
 * @returns the session as it is now; `null` where it has ended
 */
export async function takeOver(
  context: Context,
  exchange: Exchange,
  { ticket, result }: { readonly ticket: Ticket; readonly result: RefreshResult },
): Promise<StoredSession | null> {
  const { tickets, sessions } = context;
  let isInStore = false;

  const written = await changeSession(exchange, (current) => {
    isInStore = current.record !== null;
    const ticketKey = isInStore ? undefined : ticket.key;
    const change = async (content: SessionContent): Promise<SessionContent> =>
      tickets.of(content)?.key === ticket.key
        ? afterRefresh(context, withResult(content, result, ticketKey))
        : content;
    return sessions.change(current, change, exchange.cookies);
  });
  if (written === null) return null;
  // In the record the tokens have arrived; a cookie has to come back first.
  if (isInStore) tickets.arrive(ticket.key).catch(() => undefined);
  else if (!exchange.isOpen()) warnOfLateTokens(context);
  return written;
}

function warnOfLateTokens({ log }: Context): void {
  const message =
    "The head of the response has left before a refresh ended: the browser gets the new tokens with its next request.";
  log({ event: "warning", message });
}
