import { refreshMarginSeconds, softMarginSeconds } from "../config/constants.ts";
import { nowSeconds } from "../config/runtime.ts";
import { readAgain } from "../session/read-session.ts";
import type { RecentSessions } from "../session/recent-sessions.ts";
import { type RefreshResult, withResult } from "../session/refresh-result.ts";
import type { SessionContent } from "../session/seal.ts";
import type { StoredSession } from "../session/session.ts";
import { revokeTokens } from "../ends/revoke-tokens.ts";
import { afterRefresh } from "../request/hooks.ts";
import { changeSessionOf } from "../request/save-session.ts";
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
import { canWait, hasNewer, inHand } from "./held-token.ts";
import { type Refresh, report, type SharedOutcome } from "./refresh.ts";
import { RefreshFailed, spendingMs, spendRefreshToken } from "./spend-refresh-token.ts";

/**
 * A browser with newer tokens would have brought them by then: a cookie with the refused one is the
 * newest.
 */
const cookieKeepsMs = 10_000;

/**
 * Refreshes a session in a cookie. This process sends a refresh token once, and remembers the
 * result for a while, for requests with the older cookie. Requests never wait for each other's
 * promises, which some runtimes forbid.
 */
export async function refreshInCookie(refresh: Refresh): Promise<StoredSession> {
  const tried = await tryWithPauses(refresh, (outcome) => tryRefresh(refresh, outcome));
  const last = tried ?? inHand(refresh, 0);
  if (last === null) throw underWay();
  return last;
}

/** Whether this process has a newer refresh token for a session in a cookie. */
export function isSpentHere(
  { recent }: { readonly recent: RecentSessions },
  stored: StoredSession,
): boolean {
  const known = stored.record === null ? recent.refreshOf(stored) : undefined;
  return known?.state === "done" && known.result.tokens.refreshToken !== stored.data.refreshToken;
}

/** `null` while another request sends the token. */
async function tryRefresh(refresh: Refresh, outcome: SharedOutcome): Promise<StoredSession | null> {
  const { context, stored } = refresh;
  const { refreshToken } = stored.data;
  if (refreshToken === undefined) throw refusedBefore(refresh);
  const known = context.recent.refreshOf(stored);
  switch (known?.state) {
    case "refused":
      return dropLater(refresh, known.since);
    case "spending":
      return context.timing.monotonic() < known.until
        ? inHand(refresh, softMarginSeconds)
        : spend(refresh, refreshToken);
    case "done":
      return isOfUse(refresh, known.result)
        ? share(refresh, known.result, outcome)
        : spend(refresh, refreshToken);
    default:
      return spend(refresh, refreshToken);
  }
}

/** Without rotation the provider gives the same token again, which has an older result here. */
function isOfUse(refresh: Refresh, result: RefreshResult): boolean {
  const { stored } = refresh;
  const isRotated = result.tokens.refreshToken !== stored.data.refreshToken;
  return isRotated || hasNewer(refresh, { ...stored, ...withResult(stored, result) });
}

/**
 * Takes over what another request brought. If it was for another resource, the new refresh token is
 * sent for ours when that is due.
 */
async function share(
  refresh: Refresh,
  result: RefreshResult,
  outcome: SharedOutcome,
): Promise<StoredSession> {
  const stored = await putResult(refresh, result);
  if (hasNewer(refresh, stored)) {
    report(refresh, outcome);
    return stored;
  }
  const current = { ...refresh, stored };
  return inHand(current, refreshMarginSeconds) ?? refreshInCookie(current);
}

async function spend(refresh: Refresh, refreshToken: string): Promise<StoredSession | null> {
  const { context, connection, stored, wanted } = refresh;
  const { recent, timing } = context;
  const { issuer, refreshLimits } = connection;
  if (!refreshLimits.enter(canWait(refresh))) return inHand(refresh, softMarginSeconds);
  const until = timing.monotonic() + spendingMs(issuer);
  const hasTime = () => timing.monotonic() + issuer.timeoutMs < until;
  const own = { state: "spending", until } as const;
  recent.rememberRefresh(stored, own);
  try {
    const spending = { connection, session: stored, refreshToken, wanted };
    const result = await spendRefreshToken(context, spending, hasTime);
    recent.rememberRefresh(stored, { state: "done", result });
    const kept = await putResult(refresh, result);
    report(refresh, "renewed");
    return kept;
  } catch (error) {
    if (!(error instanceof RefreshFailed)) throw error;
    // After a stop of the process, another request sends the token, or has sent it.
    const isOvertaken = (recent.refreshOf(stored) ?? own) !== own;
    return isOvertaken ? null : afterFailure(refresh, error);
  } finally {
    refreshLimits.leave();
  }
}

/** Puts a result into the session of the request, unless it has ended meanwhile. */
async function putResult(refresh: Refresh, result: RefreshResult): Promise<StoredSession> {
  const { context, exchange, stored } = refresh;
  const change = async (content: SessionContent): Promise<SessionContent> =>
    content.data.refreshToken === stored.data.refreshToken
      ? refreshed(await afterRefresh(context, withResult(content, result)))
      : content;
  // Keeps older requests of this process from bringing the spent tokens back.
  const refreshed = ({ header, data }: SessionContent) => ({
    header: { ...header, changed: context.clock() },
    data,
  });
  const written = (await isActive(refresh))
    ? await changeSessionOf(exchange, (current) =>
        context.sessions.change(current, change, exchange.cookies),
      )
    : null;
  if (written !== null) return written;
  revokeTokens(context, { ...stored, ...withResult(stored, result) });
  throw endedMeanwhile(refresh);
}

/** Without a store only this process knows of its end. */
async function isActive({ context, stored }: Refresh): Promise<boolean> {
  if (context.recent.endingOf(stored.header.id) !== null) return false;
  try {
    const found = await readAgain(context.reader, stored, nowSeconds(context));
    return found.state === "active";
  } catch (error) {
    if (!isStoreFault(error)) throw error;
    return true;
  }
}

function afterFailure(
  refresh: Refresh,
  fault: RefreshFailed,
): Promise<never> | StoredSession | null {
  const { context, stored } = refresh;
  const { recent, clock } = context;
  if (fault.failure === "refused" || fault.failure === "unusable") {
    recent.rememberRefresh(stored, { state: "refused", since: clock() });
    return endRefused(refresh, fault.cause);
  }
  recent.rememberRefresh(stored, { state: "spending", until: 0 });
  return fault.failure === "late" ? null : tokenAfterFault(refresh, fault);
}

async function dropLater(refresh: Refresh, since: number): Promise<never> {
  const { context, exchange, stored } = refresh;
  const change = withoutToken(context, stored.data.refreshToken);
  if (context.clock() - since >= cookieKeepsMs) {
    await changeSessionOf(exchange, (current) =>
      context.sessions.change(current, change, exchange.cookies),
    );
  }
  throw refusedBefore(refresh);
}
