import type { KeyRing } from "../../crypto/key-ring.ts";
import { leaseOwner, type Store } from "../../stores/store.ts";
import type { SessionContent } from "../seal.ts";
import type { ClientRegistration } from "../session-handle.ts";
import type { RefreshResult } from "./refresh-result.ts";
import {
  arrivedText,
  deadText,
  doneAt,
  doneText,
  spending,
  stateIn,
  type Ticket,
  ticketOf,
  type TicketState,
  unspent,
} from "./ticket.ts";
import { createTicketTable, type TicketTable } from "./ticket-table.ts";

/** Whoever was granted the lease may send the token. */
interface Leased {
  readonly state: "leased";
  /** It was granted to an earlier try of the same attempt, which the store could not tell so. */
  readonly isEarlier?: boolean;
}

/** One attempt to spend a refresh token. */
export interface Attempt {
  readonly ticket: Ticket;
  /** Unique to the attempt, so that a late one is told from a newer. */
  readonly owner: string;
}

/**
 * Sees to it that each refresh token is spent once, and hands on what that has brought: between the requests of this
 * process in memory, between processes in the store. Requests share results and never wait for each other's promises,
 * which some runtimes forbid.
 */
export interface RefreshTickets {
  /** `null` for a session without a refresh token. */
  of(session: SessionContent): Ticket | null;
  /** What this process knows of a ticket, without asking the store. */
  known(ticket: Ticket): TicketState;
  /** Reads the text that the store has under the key of a ticket. */
  read(ticket: Ticket, text: string | null): TicketState;
  /** What has become of the token, by the store where there is one. */
  look(ticket: Ticket): Promise<TicketState>;
  /**
   * Leases a ticket that is unspent; whoever gets `leased` may send the token. May be repeated where the store could not
   * be asked.
   *
   * @param ms how long nobody else may
   */
  take(attempt: Attempt, ms: number): Promise<TicketState | Leased>;
  /** The same in this process alone, where the store does not answer. */
  takeHere(attempt: Attempt, ms: number): boolean;
  /** Gives the lease back, the token unspent. Does nothing once the ticket is settled. */
  release(attempt: Attempt): Promise<void>;
  /**
   * Keeps the result for those who come with the token that was spent; `false` where the lease was lost.
   *
   * @param ms for so long
   */
  settle(attempt: Attempt, result: RefreshResult, ms: number): Promise<boolean>;
  /** Remembers for a while that the provider has refused the token. */
  kill(attempt: Attempt): Promise<void>;
  /**
   * Whether the tokens that a ticket has brought, and that have come back from the browser now, will stay there: no
   * response from before them can be on its way any more. By default for what this process knows of the ticket.
   */
  isSafe(ticketKey: string, text?: string | null): boolean;
  /** The result is safe where it is kept: others need it for a short while only. */
  arrive(ticketKey: string, text?: string | null): Promise<void>;
  /** The session has ended: nothing of its tokens stays. */
  forget(ticket: Ticket): Promise<void>;
}

export interface RefreshTicketsOptions {
  readonly registration: ClientRegistration;
  readonly store: Store | null;
  readonly keys: () => KeyRing;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/** For so long a result that has arrived serves requests that were under way, and a refusal is remembered. */
const afterwardsMs = 600_000;
/** A response that is older than this has arrived, or is lost. */
const onTheWayMs = 120_000;
/** For so long this process believes that another one holds a lease, before it asks again. */
const elsewhereMs = 25;

export function createRefreshTickets(options: RefreshTicketsOptions): RefreshTickets {
  const { registration, store, keys, clock } = options;
  const table = createTicketTable(clock);
  const parts = { table, store, keys };
  const settleWith = (attempt: Attempt, text: string, ms: number) =>
    settle(parts, attempt, { text, ms });
  return {
    of: (session) => ticketOf(registration, session),
    known: (ticket) => known(parts, ticket),
    read: (ticket, text) => read(parts, ticket, text),
    look: (ticket) => look(parts, ticket),
    take: (attempt, ms) => take(parts, attempt, ms),
    takeHere: ({ ticket, owner }, ms) => table.lease(ticket.key, owner, ms),
    async release({ ticket, owner }) {
      if (table.release(ticket.key, owner)) await store?.release(ticket.key, owner);
    },
    settle: (attempt, result, ms) =>
      settleWith(attempt, doneText(keys(), attempt.ticket, { result, at: clock() }), ms),
    async kill(attempt) {
      await settleWith(attempt, deadText(clock()), afterwardsMs);
    },
    isSafe(ticketKey, text = table.get(ticketKey)) {
      const at = text === null ? null : doneAt(text);
      return at === null || clock() - at >= onTheWayMs;
    },
    async arrive(ticketKey, text = table.get(ticketKey)) {
      const arrived = text && arrivedText(text);
      if (!text || !arrived) return;
      table.set(ticketKey, arrived, afterwardsMs);
      await store?.swap(ticketKey, text, arrived, (clock() + afterwardsMs) / 1000);
    },
    async forget({ key }) {
      table.delete(key);
      await store?.delete(key);
    },
  };
}

/** Where tickets are kept: in this process, and in the store if there is one. */
interface Parts extends Pick<RefreshTicketsOptions, "store" | "keys"> {
  readonly table: TicketTable;
}

function known({ table, keys }: Parts, ticket: Ticket): TicketState {
  if (table.isEmpty()) return unspent;
  if (table.isLeased(ticket.key)) return spending;
  return stateIn(keys, ticket, table.get(ticket.key));
}

function read({ table, keys }: Parts, ticket: Ticket, text: string | null): TicketState {
  const state = stateIn(keys, ticket, text);
  const isSettled = state.state === "done" || state.state === "dead";
  if (isSettled && text !== null) table.set(ticket.key, text, afterwardsMs);
  return state;
}

async function look(parts: Parts, ticket: Ticket): Promise<TicketState> {
  if (parts.store === null) return known(parts, ticket);
  const [text = null] = await parts.store.get([ticket.key]);
  return read(parts, ticket, text);
}

async function take(parts: Parts, attempt: Attempt, ms: number): Promise<TicketState | Leased> {
  const { table, store } = parts;
  const { ticket, owner } = attempt;
  const here = known(parts, ticket);
  if (here.state !== "unspent") return here;
  table.lease(ticket.key, owner, ms);
  if (store === null || (await leaseInStore(parts, attempt, ms))) return { state: "leased" };
  table.lease(ticket.key, "elsewhere", elsewhereMs);
  const [text = null] = await store.get([ticket.key]);
  if (text === null || leaseOwner(text) !== owner) return read(parts, ticket, text);
  table.release(ticket.key, "elsewhere");
  table.lease(ticket.key, owner, ms);
  return { state: "leased", isEarlier: true };
}

async function leaseInStore(
  { table, store }: Parts,
  { ticket, owner }: Attempt,
  ms: number,
): Promise<boolean> {
  let isGranted: boolean | undefined = false;
  try {
    isGranted = await store?.lease(ticket.key, owner, ms);
  } finally {
    if (isGranted !== true) table.release(ticket.key, owner);
  }
  return isGranted === true;
}

async function settle(
  { table, store }: Parts,
  { ticket, owner }: Attempt,
  { text, ms }: { readonly text: string; readonly ms: number },
): Promise<boolean> {
  // From now on this process knows it, whatever becomes of the store.
  const isOurs = table.settle(ticket.key, owner, text, ms);
  if (store === null) return isOurs;
  const isSettled = await store.settle(ticket.key, owner, text, ms);
  if (isSettled) table.set(ticket.key, text, Math.min(ms, afterwardsMs));
  else table.delete(ticket.key);
  return isSettled;
}
