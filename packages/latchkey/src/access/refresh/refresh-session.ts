import { refreshMarginSeconds } from "../../config/constants.ts";
import { type Context, nowSeconds } from "../../context.ts";
import { Refusal } from "../../errors/refusal.ts";
import type { StoredSession } from "../../session/session.ts";
import type { WantedToken } from "../../oidc/token-request.ts";
import type { RefreshResult } from "../../session/tickets/refresh-result.ts";
import type { TicketState } from "../../session/tickets/ticket.ts";
import type { Exchange } from "../exchange.ts";
import { takeLease, type Unleased } from "./lease.ts";
import { pauses } from "./pauses.ts";
import {
  endedMeanwhile,
  heldToken,
  isGoodFor,
  keepInHand,
  observed,
  type Refresh,
  softMarginSeconds,
  report,
  underWay,
} from "./refresh.ts";
import { refuseDead } from "./refuse-token.ts";
import { type Ready, spendUnderLease } from "./spend-under-lease.ts";
import { takeOver } from "./take-over.ts";

/** So many refreshes may have passed a request by. */
const linksAtMost = 4;

export interface RefreshRequest extends Pick<Refresh, "stored" | "isForced"> {
  /** By default the token of the sign-in. */
  readonly wanted?: WantedToken;
}

/**
 * Refreshes the tokens of a session. Its refresh token is spent once, by whoever holds the lease of its ticket, in
 * whichever process; everybody else takes the result over, or goes on with the token at hand while that is good.
 *
 * @returns the session, with an access token that is good now
 * @throws {AccessTokenError} `ERR_FAILED_REFRESH_GRANT`, `ERR_REFRESH_UNDER_WAY`, `ERR_MISSING_SESSION`
 * @throws {Refusal} `store_unavailable`: the token at hand has expired, and the store cannot keep a new one
 * @throws {LatchkeyError} `ERR_HEADERS_SENT`
 */
export async function refreshSession(
  context: Context,
  exchange: Exchange,
  { stored, isForced, wanted = {} }: RefreshRequest,
  linksLeft = linksAtMost,
): Promise<StoredSession> {
  const ticket = context.tickets.of(stored);
  if (ticket === null) return stored;
  // Without a store nothing but the cookie keeps the result: a token that cannot be kept must not be spent.
  if (context.reader.store === null || exchange.isOpen()) exchange.checkOpen();
  const begunAt = context.timing.monotonic();
  const owner = context.randomText(16);
  const refresh = { context, exchange, stored, ticket, wanted, isForced, begunAt, owner, told: {} };
  const taken = await observed(refresh, () => spendOrShare(refresh));
  const isForOther = taken.isForOther === true;
  const isGood = isGoodFor(context, taken.stored, softMarginSeconds, wanted);
  const isDone = isGood && !(isForced && isForOther);
  if (!taken.isShared || linksLeft === 0 || isDone) return taken.stored;
  const next = { stored: taken.stored, isForced: isForced && isForOther, wanted };
  return refreshSession(context, exchange, next, linksLeft - 1);
}

interface Taken {
  readonly stored: StoredSession;
  /** Somebody else has spent the token, perhaps long ago. */
  readonly isShared: boolean;
  /** And has asked for the access token of another resource server: then the new refresh token is spent for ours. */
  readonly isForOther?: boolean;
}

async function spendOrShare(refresh: Refresh): Promise<Taken> {
  const early = isTurn(refresh) ? null : keepInHand(refresh, softMarginSeconds);
  if (early !== null) return { stored: early, isShared: false };
  let shared: "shared" | "waited" = "shared";
  for (const pauseMs of pauses(refresh.context)) {
    // oxlint-disable-next-line no-await-in-loop -- each look comes after a pause
    const tried = await tryOnce(refresh);
    if (tried.state === "ready") return tried;
    if (tried.state === "done") return share(refresh, tried.result, shared);
    if (tried.state === "dead") return refuseDead(refresh, tried.since);
    if (tried.state === "unleased") return { stored: keepUnspent(refresh, tried), isShared: false };
    const kept = keepInHand(refresh, softMarginSeconds);
    if (kept !== null) return { stored: kept, isShared: false };
    // oxlint-disable-next-line no-await-in-loop -- see above
    await refresh.context.timing.wait(pauseMs);
    shared = "waited";
  }
  const kept = keepInHand(refresh, 0);
  if (kept !== null) return { stored: kept, isShared: false };
  // A process that has stopped for longer than all pauses finds what others have done meanwhile.
  const last = await refresh.context.tickets.look(refresh.ticket);
  if (last.state === "done") return share(refresh, last.result, "waited");
  throw underWay();
}

/** In a crowd of sessions whose tokens end together, each starts at a moment of its own. */
function isTurn({ context, stored, ticket, wanted }: Refresh): boolean {
  const { accessTokenExpiresAt = 0 } = heldToken(stored, wanted);
  const marginBegins = accessTokenExpiresAt - refreshMarginSeconds;
  const secondsInMargin = nowSeconds(context) - marginBegins;
  return context.refreshLimits.isTurnOf(ticket.key, secondsInMargin);
}

async function tryOnce(refresh: Refresh): Promise<TicketState | Ready | Unleased> {
  const { refreshLimits } = refresh.context;
  if (!refreshLimits.enter()) return { state: "spending" };
  try {
    const taken = await takeLease(refresh);
    return taken.state === "leased" ? await spendUnderLease(refresh, taken.lease) : taken;
  } finally {
    refreshLimits.leave();
  }
}

/** A token whose result cannot be kept is not spent: that at hand is used while it is good. */
function keepUnspent(refresh: Refresh, { cause }: Unleased): StoredSession {
  const kept = keepInHand(refresh, 0);
  if (kept !== null) return kept;
  const detail = "the access token cannot be refreshed now: what that brings could not be kept";
  throw new Refusal("store_unavailable", { cause, detail });
}

async function share(
  refresh: Refresh,
  result: RefreshResult,
  outcome: "shared" | "waited",
): Promise<Taken> {
  const { context, exchange, ticket } = refresh;
  const stored = await takeOver(context, exchange, { ticket, result });
  if (stored === null) throw endedMeanwhile(refresh);
  report(refresh, outcome);
  const isForOther = result.resourceToken?.resource !== refresh.wanted.resource;
  return { stored, isShared: true, isForOther };
}
