import type { RefreshOutcome } from "../../config/telemetry/log-event.ts";
import { type Context, nowSeconds } from "../../context.ts";
import { AccessTokenError } from "../../errors/access-token-error.ts";
import { type Reason, reasons } from "../../errors/reasons.ts";
import { Refusal, refusalOf } from "../../errors/refusal.ts";
import type { WantedToken } from "../../oidc/token-request.ts";
import type { HeldToken, StoredSession } from "../../session/session.ts";
import type { Ticket } from "../../session/tickets/ticket.ts";
import type { Exchange } from "../exchange.ts";

/** A session whose tokens are to be refreshed, for one request. */
export interface Refresh {
  readonly context: Context;
  readonly exchange: Exchange;
  readonly stored: StoredSession;
  readonly ticket: Ticket;
  readonly wanted: WantedToken;
  /** The token at hand is not wanted, however good it is. */
  readonly isForced: boolean;
  /** Monotonic milliseconds. */
  readonly begunAt: number;
  /** Names it in the lease of its ticket. */
  readonly owner: string;
  /** How it ended, once that was reported. */
  readonly reported: Reported;
}

interface Reported {
  outcome?: RefreshOutcome;
  reason?: Reason;
}

/** With more seconds left nobody waits for a refresh that somebody else makes. */
export const softMarginSeconds = 10;

/** What a session has of the token that is wanted. */
export function heldToken(
  { data }: Pick<StoredSession, "data">,
  { resource }: WantedToken,
): HeldToken {
  return resource === undefined ? data : (data.resourceTokens?.[resource] ?? {});
}

/** Whether an access token of a session is good for more than so many seconds; by default that of the sign-in. */
export function isGoodFor(
  context: Context,
  stored: StoredSession,
  seconds: number,
  wanted: WantedToken = {},
): boolean {
  const { accessToken, accessTokenExpiresAt = 0 } = heldToken(stored, wanted);
  return accessToken !== undefined && accessTokenExpiresAt - nowSeconds(context) > seconds;
}

/** @param cause - why the refresh token has brought nothing */
export function report(
  { context, stored, begunAt, reported }: Refresh,
  outcome: RefreshOutcome,
  cause?: unknown,
): void {
  const { sub } = stored.data.user;
  const durationMs = Math.round(context.timing.monotonic() - begunAt);
  const reason = cause === undefined ? undefined : refusalOf(cause).reason;
  Object.assign(reported, { outcome, reason });
  context.log({ event: "refresh", outcome, reason, sub, session: stored.header.id, durationMs });
}

const operation = { kind: "session", name: "refresh" } as const;

/** Tells one event of a refresh, however it ends, and lets telemetry watch it. */
export function observed<T>(refresh: Refresh, work: () => Promise<T>): Promise<T> {
  const { context, reported } = refresh;
  const end = () => ({ ...reported, status: reported.reason && reasons[reported.reason].status });

  async function reportedWork(): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (reported.outcome === undefined) report(refresh, "transient", error);
      throw error;
    }
  }

  return context.observer.run(operation, reportedWork, { well: end, badly: end });
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
  refresh.exchange.endedMeanwhile();
  report(refresh, "lost");
  return missingSession();
}

/** The refresh token has brought nothing. It stays where that is temporary: then the request may be repeated. */
export function refreshFailed(cause: unknown, isTemporary = false): AccessTokenError {
  const why = cause instanceof Refusal ? (cause.detail ?? cause.message) : "internal";
  return new AccessTokenError(
    "ERR_FAILED_REFRESH_GRANT",
    `The request to refresh the access token failed. CAUSE: ${why}`,
    { cause, ...(isTemporary ? { retryAfterSeconds } : {}) },
  );
}
