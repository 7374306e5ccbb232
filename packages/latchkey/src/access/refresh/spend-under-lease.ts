import { nowSeconds } from "../../context.ts";
import { readAgain } from "../../session/read-session.ts";
import type { StoredSession } from "../../session/session.ts";
import { type TicketState, unspent } from "../../session/tickets/ticket.ts";
import { keepResult } from "./keep-result.ts";
import type { Lease } from "./lease.ts";
import { endedMeanwhile, isGoodFor, type Refresh, report } from "./refresh.ts";
import { currentSessionAfterFault, refuse } from "./refuse-token.ts";
import { RefreshFailed, spendRefreshToken } from "./spend-refresh-token.ts";

/** The caller has its token. */
export interface Ready {
  readonly state: "ready";
  readonly stored: StoredSession;
  /** Somebody else has spent the refresh token, perhaps long ago. */
  readonly isShared?: boolean;
  /** And has asked for the access token of another resource server: then the new refresh token is spent for ours. */
  readonly isForOther?: boolean;
}

/**
 * Spends the refresh token whose ticket is leased, and keeps what it brings. Gives the lease back where the token was
 * not spent.
 */
export async function spendUnderLease(
  refresh: Refresh,
  lease: Lease,
): Promise<TicketState | Ready> {
  const { context } = refresh;
  try {
    const newer = await findNewer(refresh);
    if (newer !== null) return newer;
    const result = await spendRefreshToken(context, refresh, lease.hasTime);
    return { state: "ready", stored: await keepResult(refresh, lease, result) };
  } catch (error) {
    if (error instanceof RefreshFailed) return await afterFailure(refresh, lease, error);
    throw error;
  } finally {
    // A lease that cannot be given back ends by itself.
    await context.tickets.release(lease).catch(() => undefined);
  }
}

/** Newer tokens that somebody has put into the record since it was read. A cookie has told what it knows. */
async function findNewer(refresh: Refresh): Promise<Ready | null> {
  const { context, exchange, stored, ticket } = refresh;
  if (stored.record === null) return null;
  const found = await readAgain(context.reader, stored, nowSeconds(context));
  if (found.state !== "active") throw endedMeanwhile(refresh);
  if (context.tickets.of(found.stored)?.key === ticket.key) return null;
  exchange.keep({ stored: found.stored, setCookies: null });
  report(refresh, "shared");
  return { state: "ready", isShared: true, stored: found.stored };
}

async function afterFailure(
  refresh: Refresh,
  lease: Lease,
  { failure, cause }: RefreshFailed,
): Promise<TicketState | Ready> {
  switch (failure) {
    case "late":
      return unspent;
    case "unusable":
    case "refused":
      // A race that was lost is no refusal.
      return (await lookOnceMore(refresh)) ?? refuse(refresh, lease, cause);
    default: {
      // A process that was stopped for longer than its lease finds what others have done meanwhile.
      const { context, stored, wanted } = refresh;
      const newer = isGoodFor(context, stored, 0, wanted) ? null : await lookOnceMore(refresh);
      if (newer !== null) return newer;
      return { state: "ready", stored: currentSessionAfterFault(refresh, failure, cause) };
    }
  }
}

async function lookOnceMore(refresh: Refresh): Promise<TicketState | Ready | null> {
  const { tickets } = refresh.context;
  const state = await tickets.look(refresh.ticket);
  return state.state === "done" ? state : findNewer(refresh);
}
