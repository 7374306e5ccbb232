import { softMarginSeconds } from "../config/constants.ts";
import { nowSeconds } from "../config/runtime.ts";
import { Refusal } from "../errors/refusal.ts";
import { readAgain } from "../session/read-session.ts";
import { type RefreshResult, withResult } from "../session/refresh-result.ts";
import type { SessionContent } from "../session/seal.ts";
import type { StoredSession } from "../session/session.ts";
import { revokeTokens } from "../ends/revoke-tokens.ts";
import { afterRefresh } from "../request/hooks.ts";
import { createLeasing, type Lease, type Leasing } from "./lease.ts";
import { tryWithPauses } from "./try-with-pauses.ts";
import {
  endedMeanwhile,
  endRefused,
  isStoreFault,
  refusedBefore,
  tokenAfterFault,
  underWay,
  withoutToken,
} from "./failed-refresh.ts";
import { hasNewer, inHand, isGoodFor } from "./held-token.ts";
import { type Refresh, report, type SharedOutcome } from "./refresh.ts";
import { repeatInBackground } from "../time/repeat-in-background.ts";
import { RefreshFailed, spendRefreshToken } from "./spend-refresh-token.ts";

/** If a store answers again within this time, no request has failed. */
const momentMs = 1000;

/**
 * Refreshes a session in the store: tries, and waits while another request does, for six seconds at
 * most.
 */
export async function refreshInStore(refresh: Refresh): Promise<StoredSession> {
  const leasing = createLeasing(refresh);
  const tried = await tryWithPauses(refresh, (outcome) =>
    tryRefresh(refresh, leasing, outcome).catch((error: unknown) => waitForStore(refresh, error)),
  ).finally(leasing.abandon);
  const last = tried ?? inHand(refresh, 0) ?? (await useNewer(refresh, "waited"));
  if (last === null) throw underWay();
  return last;
}

/**
 * Leases the record, reads it again and sends its refresh token; `null` while another request does.
 */
async function tryRefresh(
  refresh: Refresh,
  leasing: Leasing,
  outcome: SharedOutcome,
): Promise<StoredSession | null> {
  const stored = await putInPlace(refresh);
  const lease = await leasing.take(stored);
  if (lease === null) return inHand(refresh, softMarginSeconds) ?? useNewer(refresh, outcome);
  try {
    const current = await readCurrent(refresh, stored);
    return hasNewer(refresh, current)
      ? use(refresh, current, outcome)
      : await spend(refresh, lease, current);
  } finally {
    await lease.release();
  }
}

/**
 * The session in the store: one that belongs there may still lie in its cookie.
 *
 * @throws {AccessTokenError} `ERR_MISSING_SESSION`
 */
async function putInPlace(refresh: Refresh): Promise<StoredSession> {
  const stored = await refresh.context.sessions.inItsPlace(refresh.stored);
  if (stored === null) throw endedMeanwhile(refresh);
  return stored;
}

/**
 * The same session as it is now.
 *
 * @throws {AccessTokenError} `ERR_MISSING_SESSION`
 */
async function readCurrent(refresh: Refresh, stored: StoredSession): Promise<StoredSession> {
  const { context } = refresh;
  const found = await readAgain(context.reader, stored, nowSeconds(context));
  if (found.state !== "active") throw endedMeanwhile(refresh);
  return found.stored;
}

function use(refresh: Refresh, stored: StoredSession, outcome: SharedOutcome): StoredSession {
  refresh.exchange.keep({ stored, setCookies: null });
  report(refresh, outcome);
  return stored;
}

/** Goes on with what another request has brought; `null` while it has brought nothing. */
async function useNewer(refresh: Refresh, outcome: SharedOutcome): Promise<StoredSession | null> {
  const current = await readCurrent(refresh, await putInPlace(refresh));
  return hasNewer(refresh, current) ? use(refresh, current, outcome) : null;
}

async function spend(
  refresh: Refresh,
  lease: Lease,
  current: StoredSession,
): Promise<StoredSession | null> {
  const { context, connection, wanted } = refresh;
  const { refreshToken } = current.data;
  if (refreshToken === undefined) throw refusedBefore(refresh);
  try {
    const spending = { connection, session: current, refreshToken, wanted };
    const result = await spendRefreshToken(context, spending, lease.hasTime);
    return await save(refresh, lease, { current, result });
  } catch (error) {
    if (error instanceof RefreshFailed) return afterFailure(refresh, current, error);
    throw error;
  }
}

interface Refreshed {
  readonly current: StoredSession;
  readonly result: RefreshResult;
}

/**
 * The provider has answered, so a fault of the store costs the caller nothing: the result is
 * written later.
 */
async function save(refresh: Refresh, lease: Lease, refreshed: Refreshed): Promise<StoredSession> {
  const { current, result } = refreshed;
  const put = () => putResult(refresh, refreshed);
  const stored = await put().catch((error: unknown) => {
    if (!isStoreFault(error)) throw error;
    // Until then the record holds the spent token, which no other request may send.
    lease.keep();
    repeatInBackground(refresh.context, put);
    return { ...current, ...withResult(current, result) };
  });
  report(refresh, "renewed");
  return stored;
}

/**
 * Puts a result in the place of the spent tokens; newer tokens stay. The marks are read
 * afterwards: a sign-out meanwhile either finds these tokens in the record, or this finds its mark.
 */
async function putResult(refresh: Refresh, { current, result }: Refreshed): Promise<StoredSession> {
  const { context, exchange } = refresh;
  const hookFaults: unknown[] = [];

  async function change(content: SessionContent): Promise<SessionContent | null> {
    if (content.data.refreshToken !== current.data.refreshToken) {
      context.log({ event: "lease-lost" });
      return null;
    }
    const refreshed = withResult(content, result);
    // A failing hook must not lose the new tokens: those in the record are spent.
    return afterRefresh(context, refreshed).catch((cause: unknown) => {
      hookFaults.push(cause);
      return refreshed;
    });
  }

  const written = await context.sessions.change(current, change, exchange.cookies);
  const found = written && (await readAgain(context.reader, written.stored, nowSeconds(context)));
  if (written === null || found?.state !== "active") {
    revokeTokens(context, { ...current, ...withResult(current, result) });
    await context.sessions.end(current);
    throw endedMeanwhile(refresh);
  }
  exchange.keep(written);
  if (hookFaults.length > 0) throw hookFaults[0];
  return written.stored;
}

async function afterFailure(
  refresh: Refresh,
  current: StoredSession,
  fault: RefreshFailed,
): Promise<StoredSession | null> {
  const { context, stored, wanted } = refresh;
  switch (fault.failure) {
    case "late":
      return null;
    case "refused":
    case "unusable":
      return refuse(refresh, current, fault.cause);
    default: {
      const isGood = isGoodFor(context, stored, 0, wanted);
      // After a stop longer than its lease, a process finds the tokens of others.
      return (isGood ? null : await useNewer(refresh, "shared")) ?? tokenAfterFault(refresh, fault);
    }
  }
}

/**
 * Removes the refused token from the record, so no other request sends it; `null` if others have
 * replaced it.
 */
async function refuse(
  refresh: Refresh,
  current: StoredSession,
  cause: unknown,
): Promise<StoredSession | null> {
  const { context, exchange } = refresh;
  const change = withoutToken(context, current.data.refreshToken);
  const written = await context.sessions.change(current, change, exchange.cookies);
  if (written === null) throw endedMeanwhile(refresh);
  exchange.keep(written);
  if (written.stored.data.refreshToken === undefined) return endRefused(refresh, cause);
  // A lost race is no refusal.
  return hasNewer(refresh, written.stored) ? use(refresh, written.stored, "shared") : null;
}

/**
 * While the store fails for a moment only, the request tries again. A token whose result cannot be
 * kept is not spent.
 */
function waitForStore(refresh: Refresh, cause: unknown): StoredSession | null {
  if (!isStoreFault(cause)) throw cause;
  const { context, begunAt } = refresh;
  const isShort = context.timing.monotonic() - begunAt < momentMs;
  const isPassing = isShort && context.store?.state() !== "down";
  const kept = inHand(refresh, isPassing ? softMarginSeconds : 0);
  if (isPassing || kept !== null) return kept;
  throw new Refusal("store_unavailable", {
    cause,
    detail: "the access token cannot be refreshed now: what that brings could not be kept",
  });
}
