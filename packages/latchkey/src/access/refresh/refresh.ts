import type { RefreshOutcome } from "../../config/log-event.ts";
import { type Context, nowSeconds } from "../../context.ts";
import { AccessTokenError } from "../../errors/access-token-error.ts";
import { Refusal } from "../../errors/refusal.ts";
import type { StoredSession } from "../../session/session.ts";
import type { Ticket } from "../../session/tickets/ticket.ts";
import type { Exchange } from "../exchange.ts";

/** A session whose tokens are to be refreshed, for one request. */
export interface Refresh {
  readonly context: Context;
  readonly exchange: Exchange;
  readonly stored: StoredSession;
  readonly ticket: Ticket;
  /** The token at hand is not wanted, however good it is. */
  readonly isForced: boolean;
  /** Monotonic milliseconds. */
  readonly begunAt: number;
}

/** With more seconds left nobody waits for a refresh that somebody else makes. */
export const softMarginSeconds = 10;

/** Whether the access token of a session is good for more than so many seconds. */
export function isGoodFor(context: Context, { data }: StoredSession, seconds: number): boolean {
  const { accessToken, accessTokenExpiresAt = 0 } = data;
  return accessToken !== undefined && accessTokenExpiresAt - nowSeconds(context) > seconds;
}

/** Goes on with the token at hand where that is wanted, and good for more than so many seconds. */
export function keepInHand(refresh: Refresh, seconds: number): StoredSession | null {
  const { context, stored, isForced } = refresh;
  if (isForced || !isGoodFor(context, stored, seconds)) return null;
  tell(refresh, "in-hand");
  return stored;
}

export function tell({ context, stored, begunAt }: Refresh, outcome: RefreshOutcome): void {
  const { sub } = stored.data.user;
  const durationMs = Math.round(context.timing.monotonic() - begunAt);
  context.log({ event: "refresh", outcome, sub, session: stored.header.id, durationMs });
}

/** Whoever gets one of these may try again after so many seconds: nothing is lost. */
const retryAfterSeconds = 1;

export function underWay(): AccessTokenError {
  return new AccessTokenError(
    "ERR_REFRESH_UNDER_WAY",
    "The access token has expired, and another request is still refreshing it. Try again.",
    { retryAfterSeconds },
  );
}

export function missingSession(): AccessTokenError {
  return new AccessTokenError("ERR_MISSING_SESSION", "The user does not have a valid session.");
}

/** The session has ended since the request began. */
export function endedMeanwhile(refresh: Refresh): AccessTokenError {
  refresh.exchange.clear();
  tell(refresh, "lost");
  return missingSession();
}

/** The refresh token has brought nothing, and trying again will bring nothing. */
export function refreshRefused(cause: unknown): AccessTokenError {
  return new AccessTokenError("ERR_FAILED_REFRESH_GRANT", failedText(cause), { cause });
}

/** The same, but for once: the refresh token stays. */
export function refreshFailed(cause: unknown): AccessTokenError {
  return new AccessTokenError("ERR_FAILED_REFRESH_GRANT", failedText(cause), {
    cause,
    retryAfterSeconds,
  });
}

function failedText(cause: unknown): string {
  const why = cause instanceof Refusal ? (cause.detail ?? cause.message) : "internal";
  return `The request to refresh the access token failed. CAUSE: ${why}`;
}
