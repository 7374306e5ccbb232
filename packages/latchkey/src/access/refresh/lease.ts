import { Refusal } from "../../errors/refusal.ts";
import type { Attempt } from "../../session/tickets/refresh-tickets.ts";
import type { TicketState } from "../../session/tickets/ticket.ts";
import type { Refresh } from "./refresh.ts";

/** The right to send a refresh token, for a while. */
export interface Lease extends Attempt {
  /** Whether one more call to the provider would end before the lease does; by a monotonic clock. */
  hasTime(): boolean;
}

/** Two calls and what is written about them. */
const beyondCallsMs = 3000;

/** Leases the ticket of a refresh token, or tells what has become of that. */
export async function takeLease({
  context,
  ticket,
  stored,
}: Refresh): Promise<TicketState | { readonly state: "leased"; readonly lease: Lease }> {
  const { config, tickets, timing, randomText } = context;
  const attempt = { ticket, owner: randomText(16) };
  const leaseMs = config.httpTimeout * 2 + beyondCallsMs;
  const until = timing.monotonic() + leaseMs;
  const hasTime = () => timing.monotonic() + config.httpTimeout < until;
  try {
    const taken = await tickets.take(attempt, leaseMs);
    return taken.state === "leased" ? { ...taken, lease: { ...attempt, hasTime } } : taken;
  } catch (error) {
    // A session in a cookie goes on without the store; each process may then spend the token once.
    if (stored.record !== null || !isStoreFault(error)) throw error;
    return tickets.takeHere(attempt, leaseMs)
      ? { state: "leased", lease: { ...attempt, hasTime } }
      : { state: "spending" };
  }
}

export function isStoreFault(error: unknown): boolean {
  return error instanceof Refusal && error.reason === "store_unavailable";
}
