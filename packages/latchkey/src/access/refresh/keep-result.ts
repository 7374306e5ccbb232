import { type Context, nowSeconds } from "../../context.ts";
import { readAgain } from "../../session/read-session.ts";
import type { StoredSession } from "../../session/session.ts";
import { type RefreshResult, withResult } from "../../session/tickets/refresh-result.ts";
import { revokeTokens } from "../ends/revoke-tokens.ts";
import { endingOf } from "../recent-changes.ts";
import { isStoreFault, type Lease } from "./lease.ts";
import { endedMeanwhile, type Refresh, report } from "./refresh.ts";
import { repeatInBackground } from "./repeat-in-background.ts";
import { takeOver } from "./take-over.ts";

/**
 * Keeps what a refresh has brought: first in the ticket, where nothing can lose it, then in the session, then the
 * caller gets it. The provider has answered, so a store that fails now costs the caller nothing.
 */
export async function keepResult(
  refresh: Refresh,
  lease: Lease,
  brought: RefreshResult,
): Promise<StoredSession> {
  refresh.context.refreshLimits.succeeded();
  const result = await keepInTicket(refresh, lease, brought);
  const stored = await keepInSession(refresh, result);
  report(refresh, "renewed");
  return stored;
}

async function keepInTicket(
  { context, stored }: Refresh,
  lease: Lease,
  brought: RefreshResult,
): Promise<RefreshResult> {
  // For the idle time of the session: by then a browser that has not got the result comes too late anyway.
  const keepMs = (stored.header.exp - nowSeconds(context)) * 1000;
  const settle = () => settleOrShare(context, lease, { brought, keepMs });
  try {
    return await settle();
  } catch (error) {
    if (!isStoreFault(error)) throw error;
    repeatInBackground(context, settle);
    return brought;
  }
}

/** Whoever had the lease after us has the last word. */
async function settleOrShare(
  { tickets, log }: Context,
  lease: Lease,
  { brought, keepMs }: { readonly brought: RefreshResult; readonly keepMs: number },
): Promise<RefreshResult> {
  if (await tickets.settle(lease, brought, keepMs)) return brought;
  log({ event: "lease-lost" });
  const state = await tickets.take(lease, keepMs);
  if (state.state === "done") return state.result;
  if (state.state === "leased") await tickets.settle(lease, brought, keepMs);
  return brought;
}

async function keepInSession(refresh: Refresh, result: RefreshResult): Promise<StoredSession> {
  const { context, exchange, stored, ticket } = refresh;
  const put = () => takeOver(context, exchange, { ticket, result });
  try {
    const kept = (await isActive(refresh)) ? await put() : null;
    if (kept === null) throw await endForGood(refresh, result);
    return kept;
  } catch (error) {
    if (!isStoreFault(error)) throw error;
    if (stored.record !== null) repeatInBackground(context, put);
    else await put();
    return { ...stored, ...withResult(stored, result) };
  }
}

/** Without a store only this process knows that a session has ended. */
async function isActive({ context, stored }: Refresh): Promise<boolean> {
  if (endingOf(context, stored.header.id) !== null) return false;
  const { state } = await readAgain(context.reader, stored, nowSeconds(context));
  return state === "active";
}

/** The session has ended while the token was spent: what that brought is not kept anywhere. */
async function endForGood(refresh: Refresh, result: RefreshResult): Promise<Error> {
  const { context, stored, ticket } = refresh;
  revokeTokens(context, { ...stored, ...withResult(stored, result) });
  const ending = endingOf(context, stored.header.id) ?? undefined;
  await Promise.all([context.tickets.forget(ticket), context.sessions.end(stored, ending)]);
  return endedMeanwhile(refresh);
}
