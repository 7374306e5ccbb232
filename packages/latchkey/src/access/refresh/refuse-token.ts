import { Refusal } from "../../errors/refusal.ts";
import type { RefreshFault } from "../../oidc/refresh-fault.ts";
import { activeSession } from "../../session/read-session.ts";
import type { SessionContent } from "../../session/seal.ts";
import type { StoredSession } from "../../session/session.ts";
import { logProviderFault } from "../ends/revoke-tokens.ts";
import { beforeSave } from "../hooks.ts";
import { endIfForbidden } from "../save-session.ts";
import { isStoreFault, type Lease } from "./lease.ts";
import { isGoodFor, type Refresh, refreshFailed, report } from "./refresh.ts";

/**
 * By then a browser that has been given newer tokens would have brought them: a cookie that still comes with the
 * refused one is the newest.
 */
const cookieKeepsMs = 10_000;

/** The provider has refused the token, or given for it what must not be used: nobody sends it again. */
export async function refuse(refresh: Refresh, lease: Lease, cause: unknown): Promise<never> {
  const { context, exchange, stored } = refresh;
  await unlessStoreFails(context.tickets.kill(lease));
  if (stored.record !== null) await unlessStoreFails(dropRefreshToken(refresh));
  report(refresh, "refused", cause);
  await endIfForbidden(context, exchange, cause);
  throw refreshFailed(cause);
}

/** The same for whoever comes with that token later. */
export async function refuseDead(refresh: Refresh, since: number): Promise<never> {
  const { context, stored } = refresh;
  if (stored.record !== null || context.clock() - since >= cookieKeepsMs) {
    await dropRefreshToken(refresh);
  }
  const cause = new Refusal("code_rejected", {
    detail: "the provider has refused this refresh token before",
  });
  report(refresh, "refused", cause);
  throw refreshFailed(cause);
}

/**
 * No usable answer: the token at hand is used while it is good, and the refresh token stays.
 *
 * @throws {AccessTokenError} `ERR_FAILED_REFRESH_GRANT`
 */
export function currentSessionAfterFault(
  refresh: Refresh,
  fault: Exclude<RefreshFault, "refused">,
  cause: unknown,
): StoredSession {
  const { context, stored, wanted, isForced } = refresh;
  if (fault !== "rejected") context.refreshLimits.failed();
  logProviderFault(context, cause, "token refresh");
  report(refresh, "transient", cause);
  const isGood = isGoodFor(context, stored, 0, wanted);
  if (isGood && !isForced) return stored;
  // A forced refresh fails while the token is good; without a good token the request may be repeated.
  throw refreshFailed(cause, !isGood && fault !== "rejected");
}

/** Only where the session still holds that very token; the person stays signed in, without it. */
async function dropRefreshToken({ context, exchange, ticket }: Refresh): Promise<void> {
  const current = activeSession(await exchange.use());
  if (current === null || (current.record === null && !exchange.isOpen())) return;

  async function change(content: SessionContent): Promise<SessionContent> {
    if (context.tickets.of(content)?.key !== ticket.key) return content;
    const { refreshToken: _refused, ...rest } = content.data;
    return { header: content.header, data: await beforeSave(context, rest) };
  }

  const written = await context.sessions.change(current, change, exchange.cookies);
  if (written === null) exchange.endedMeanwhile();
  else exchange.keep(written);
}

async function unlessStoreFails(operation: Promise<unknown>): Promise<void> {
  try {
    await operation;
  } catch (error) {
    if (!isStoreFault(error)) throw error;
  }
}
