import type { RefreshOutcome } from "../telemetry/log-event.ts";
import type { Context } from "../context.ts";
import { nowSeconds } from "../config/runtime.ts";
import { AccessTokenError, type AccessTokenErrorOptions } from "../errors/access-token-error.ts";
import { type Reason, reasons } from "../errors/reasons.ts";
import { isRefusal, Refusal, refusalOf } from "../errors/refusal.ts";
import type { WantedToken } from "../oidc/token-request.ts";
import type { Change } from "../session/change-record.ts";
import type { HeldToken, StoredSession } from "../session/session.ts";
import { logProviderFault } from "../ends/revoke-tokens.ts";
import type { Exchange } from "../request/exchange.ts";
import { beforeSave } from "../request/hooks.ts";
import { endIfForbidden } from "../request/save-session.ts";
import type { RefreshFailed } from "./spend-refresh-token.ts";

/** A session whose tokens are to be refreshed, for one request. */
export interface Refresh {
  readonly context: Context;
  readonly exchange: Exchange;
  readonly stored: StoredSession;
  readonly wanted: WantedToken;
  /** Refreshes however good the token at hand is. */
  readonly isForced: boolean;
  /** Monotonic milliseconds. */
  readonly begunAt: number;
  /** How it ended, once reported. */
  readonly reported: Reported;
}

interface Reported {
  outcome?: RefreshOutcome;
  reason?: Reason;
}

/** How a request got the tokens of another one. */
export type SharedOutcome = "shared" | "waited";

/** With more seconds left, a request does not wait for the refresh of another one. */
export const softMarginSeconds = 10;

/** What a session holds of the wanted token. */
export function heldToken(
  { data }: Pick<StoredSession, "data">,
  { resource }: WantedToken,
): HeldToken {
  return resource === undefined ? data : (data.resourceTokens?.[resource] ?? {});
}

/**
 * Whether an access token of a session is good for more than these seconds; by default the token of
 * the sign-in.
 */
export function isGoodFor(
  context: Context,
  stored: StoredSession,
  seconds: number,
  wanted: WantedToken = {},
): boolean {
  const { accessToken, accessTokenExpiresAt = 0 } = heldToken(stored, wanted);
  return accessToken !== undefined && accessTokenExpiresAt - nowSeconds(context) > seconds;
}

/** Whether the token at hand is good for long enough to do without a refresh. */
export function canWait({ context, stored, wanted, isForced }: Refresh): boolean {
  return !isForced && isGoodFor(context, stored, softMarginSeconds, wanted);
}

/**
 * Goes on with the token at hand if it is good for more than these seconds; `null` if not, or for a
 * forced refresh.
 */
export function inHand(refresh: Refresh, seconds: number): StoredSession | null {
  const { context, stored, wanted, isForced } = refresh;
  if (isForced || !isGoodFor(context, stored, seconds, wanted)) return null;
  report(refresh, "in-hand");
  return stored;
}

/** Whether a session has a newer token than the one at hand, good for long enough. */
export function hasNewer({ context, stored, wanted }: Refresh, current: StoredSession): boolean {
  const isOther = heldToken(current, wanted).accessToken !== heldToken(stored, wanted).accessToken;
  return isOther && isGoodFor(context, current, softMarginSeconds, wanted);
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

/** Logs one event of a refresh, however it ends, and lets telemetry measure it. */
export function observeRefresh<T>(refresh: Refresh, work: () => Promise<T>): Promise<T> {
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

/** The caller of one of these errors may try again after these seconds: nothing is lost. */
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

/**
 * No usable answer came: the token at hand is used while it is good, and the refresh token stays.
 *
 * @throws {AccessTokenError} `ERR_FAILED_REFRESH_GRANT`
 */
export function tokenAfterFault(
  refresh: Refresh,
  { failure, cause }: RefreshFailed,
): StoredSession {
  const { context, stored, wanted, isForced } = refresh;
  if (failure !== "rejected") context.refreshes.limits.failed();
  logProviderFault(context, cause, "token refresh");
  report(refresh, "transient", cause);
  const isGood = isGoodFor(context, stored, 0, wanted);
  if (isGood && !isForced) return stored;
  if (isRefusal(cause, "target_refused")) throw targetRefused(wanted, cause);
  if (isGood) throw refreshFailed(cause, { needsSignIn: false });
  throw failure === "rejected"
    ? refreshFailed(cause, { needsSignIn: isForUser(cause) })
    : refreshFailed(cause, { retryAfterSeconds });
}

/** The user can help the refresh with a new sign-in; a refusal of the client needs its operator. */
function isForUser(cause: unknown): boolean {
  return isRefusal(cause, "provider_denied", "provider_interaction_required");
}

/** Removes a refused refresh token from a session, unless it holds another one by now. */
export function withoutToken(context: Context, refused: string | undefined): Change {
  return async ({ header, data }) => {
    if (data.refreshToken !== refused) return null;
    const { refreshToken: _refused, ...rest } = data;
    return { header, data: await beforeSave(context, rest) };
  };
}

/** The provider refused the refresh token, or what it gave for it must not be used. */
export async function endRefused(refresh: Refresh, cause: unknown): Promise<never> {
  report(refresh, "refused", cause);
  await endIfForbidden(refresh.context, refresh.exchange, cause);
  throw refreshFailed(cause);
}

/** The provider refused the refresh token when another request sent it. */
export function refusedBefore(refresh: Refresh): AccessTokenError {
  const cause = new Refusal("code_rejected", {
    detail: "the provider has refused this refresh token before",
  });
  report(refresh, "refused", cause);
  return refreshFailed(cause);
}

function targetRefused({ resource }: WantedToken, cause: unknown): AccessTokenError {
  const wanted = resource === undefined ? "of the sign-in" : `"${resource}"`;
  return new AccessTokenError(
    "ERR_INVALID_TARGET",
    `The provider issues no access token for the resource ${wanted} (invalid_target). Register it at the provider, or correct its address; a new sign-in does not help.`,
    { cause },
  );
}

/** By default the refresh token is gone, and only a new sign-in brings another. */
function refreshFailed(
  cause: unknown,
  options: AccessTokenErrorOptions = { needsSignIn: true },
): AccessTokenError {
  const why = cause instanceof Refusal ? (cause.detail ?? cause.message) : "internal";
  return new AccessTokenError(
    "ERR_FAILED_REFRESH_GRANT",
    `The request to refresh the access token failed. CAUSE: ${why}`,
    { cause, ...options },
  );
}

export function isStoreFault(error: unknown): boolean {
  return isRefusal(error, "store_unavailable");
}
