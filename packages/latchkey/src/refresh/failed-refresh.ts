import type { Context } from "../context.ts";
import { AccessTokenError, type AccessTokenErrorOptions } from "../errors/access-token-error.ts";
import { isRefusal, Refusal } from "../errors/refusal.ts";
import type { WantedToken } from "../oidc/token-request.ts";
import { beforeSave } from "../request/hooks.ts";
import { endIfForbidden } from "../ends/end-session.ts";
import type { Change } from "../session/change-record.ts";
import type { StoredSession } from "../session/session.ts";
import { isGoodFor } from "./held-token.ts";
import { type Refresh, report } from "./refresh.ts";
import type { RefreshFailed } from "./spend-refresh-token.ts";

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
  const { context, connection, stored, wanted, isForced } = refresh;
  if (failure !== "rejected") connection.refreshLimits.failed();
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

/** Whether the store failed. */
export function isStoreFault(error: unknown): boolean {
  return isRefusal(error, "store_unavailable");
}
