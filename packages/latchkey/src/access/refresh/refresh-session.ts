import { refreshMarginSeconds } from "../../config/constants.ts";
import { type Context, nowSeconds } from "../../context.ts";
import { Refusal } from "../../errors/refusal.ts";
import type { MaybePromise } from "../../maybe-promise.ts";
import type { StoredSession } from "../../session/session.ts";
import type { WantedToken } from "../../oidc/token-request.ts";
import type { RefreshResult } from "../../session/tickets/refresh-result.ts";
import { spending, type TicketState } from "../../session/tickets/ticket.ts";
import type { Exchange } from "../exchange.ts";
import { takeLease, type Unleased } from "./lease.ts";
import { pauses } from "./pauses.ts";
import {
  endedMeanwhile,
  heldToken,
  isGoodFor,
  observed,
  type Refresh,
  softMarginSeconds,
  report,
  underWay,
} from "./refresh.ts";
import { refuseDead } from "./refuse-token.ts";
import { type Ready, spendUnderLease } from "./spend-under-lease.ts";
import { takeOver } from "./take-over.ts";

/**
 * So many refreshes of others a request follows: those that have passed it by, and those for the other resource servers
 * whose tokens the app asks for at the same time.
 */
const linksAtMost = 32;

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
  const refresh = {
    context,
    exchange,
    stored,
    ticket,
    wanted,
    isForced,
    begunAt,
    owner,
    reported: {},
  };
  const taken = await observed(refresh, () => spendOrShare(refresh));
  if (taken.isShared !== true) return taken.stored;
  const isStillForced = isForced && taken.isForOther === true;
  const isGood = isGoodFor(context, taken.stored, softMarginSeconds, wanted);
  if (isGood && !isStillForced) return taken.stored;
  if (linksLeft === 0) throw underWay();
  const next = { stored: taken.stored, isForced: isStillForced, wanted };
  return refreshSession(context, exchange, next, linksLeft - 1);
}

async function spendOrShare(refresh: Refresh): Promise<Ready> {
  const early = isTurn(refresh) ? null : inHand(refresh, softMarginSeconds);
  if (early !== null) return early;
  let outcome: SharedOutcome = "shared";
  for (const pauseMs of pauses(refresh.context)) {
    // oxlint-disable-next-line no-await-in-loop -- each look comes after a pause
    const taken = await takenFrom(refresh, await tryOnce(refresh), outcome);
    if (taken !== null) return taken;
    // oxlint-disable-next-line no-await-in-loop -- see above
    await refresh.context.timing.wait(pauseMs);
    outcome = "waited";
  }
  return inHand(refresh, 0) ?? lookAtLast(refresh);
}

type SharedOutcome = "shared" | "waited";

/** What a try has come to; `null` where somebody else spends the token now, and this request has to wait for it. */
function takenFrom(
  refresh: Refresh,
  tried: TicketState | Ready | Unleased,
  outcome: SharedOutcome,
): MaybePromise<Ready | null> {
  switch (tried.state) {
    case "ready":
      return tried;
    case "done":
      return share(refresh, tried.result, outcome);
    case "dead":
      return refuseDead(refresh, tried.since);
    case "unleased":
      return keepUnspent(refresh, tried);
    default:
      return inHand(refresh, softMarginSeconds);
  }
}

/** Goes on with the token at hand where that is wanted, and good for more than so many seconds. */
function inHand(refresh: Refresh, seconds: number): Ready | null {
  const { context, stored, wanted, isForced } = refresh;
  if (isForced || !isGoodFor(context, stored, seconds, wanted)) return null;
  report(refresh, "in-hand");
  return { state: "ready", stored };
}

/** A process that has stopped for longer than all pauses finds what others have done meanwhile. */
async function lookAtLast(refresh: Refresh): Promise<Ready> {
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
  if (!refreshLimits.enter()) return spending;
  try {
    const taken = await takeLease(refresh);
    return taken.state === "leased" ? await spendUnderLease(refresh, taken.lease) : taken;
  } finally {
    refreshLimits.leave();
  }
}

/** A token whose result cannot be kept is not spent: that at hand is used while it is good. */
function keepUnspent(refresh: Refresh, { cause }: Unleased): Ready {
  const kept = inHand(refresh, 0);
  if (kept !== null) return kept;
  throw new Refusal("store_unavailable", {
    cause,
    detail: "the access token cannot be refreshed now: what that brings could not be kept",
  });
}

async function share(
  refresh: Refresh,
  result: RefreshResult,
  outcome: SharedOutcome,
): Promise<Ready> {
  const { context, exchange, ticket } = refresh;
  const stored = await takeOver(context, exchange, { ticket, result });
  if (stored === null) throw endedMeanwhile(refresh);
  report(refresh, outcome);
  const isForOther = result.resourceToken?.resource !== refresh.wanted.resource;
  return { state: "ready", stored, isShared: true, isForOther };
}
