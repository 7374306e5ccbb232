import { Refusal } from "../../errors/refusal.ts";
import type { Attempt } from "../../session/tickets/refresh-tickets.ts";
import { spending, type TicketState } from "../../session/tickets/ticket.ts";
import type { Refresh } from "./refresh.ts";

/** The right to send a refresh token, for a while. */
export interface Lease extends Attempt {
  /** Whether one more call to the provider would end before the lease does; by a monotonic clock. */
  hasTime(): boolean;
}

/** Two calls and what is written about them. */
const beyondCallsMs = 3000;

/** A store that answers again within this time has cost nobody anything. */
const momentMs = 1000;

/** The store cannot be asked, or takes no writes: what a refresh brings could not be kept. */
export interface Unleased {
  readonly state: "unleased";
  readonly cause: unknown;
}

/**
 * Leases the ticket of a refresh token, or tells what has become of that. While the store fails for a moment only, the
 * token counts as one that somebody spends: whoever asked looks again.
 */
export async function takeLease(
  refresh: Refresh,
): Promise<TicketState | Unleased | { readonly state: "leased"; readonly lease: Lease }> {
  const { context, ticket, owner, begunAt } = refresh;
  const { config, tickets, timing } = context;
  const attempt = { ticket, owner };
  const leaseMs = config.httpTimeout * 2 + beyondCallsMs;
  const askedAt = timing.monotonic();
  const leaseFrom = (grantedAt: number): Lease => ({
    ...attempt,
    hasTime: () => timing.monotonic() + config.httpTimeout < grantedAt + leaseMs,
  });
  try {
    const taken = await tickets.take(attempt, leaseMs);
    if (taken.state !== "leased") return taken;
    return { state: "leased", lease: leaseFrom(taken.isEarlier === true ? begunAt : askedAt) };
  } catch (cause) {
    if (!isStoreFault(cause)) throw cause;
    if (isMomentary(refresh)) return spending;
    if (!goesOnAlone(refresh)) return { state: "unleased", cause };
    return tickets.takeHere(attempt, leaseMs)
      ? { state: "leased", lease: leaseFrom(askedAt) }
      : spending;
  }
}

function isMomentary({ context, begunAt }: Refresh): boolean {
  return context.store?.state() !== "down" && context.timing.monotonic() - begunAt < momentMs;
}

/**
 * A session in a cookie goes on without the lease where no other process can spend its token, and where the settings let it
 * go on without the store: then each process may spend the token once.
 */
function goesOnAlone({ context: { config, store }, stored }: Refresh): boolean {
  if (stored.record !== null) return false;
  if (config.instances === 1) return true;
  return config.session.whenStoreIsDown === "serve" && store?.state() !== "read-only";
}

export function isStoreFault(error: unknown): boolean {
  return error instanceof Refusal && error.reason === "store_unavailable";
}
