import { fullJitterMs } from "../time/back-off.ts";
import { defaultID, providerBackOff } from "../config/constants.ts";
import { type Context, withConnection } from "../context.ts";
import { nowSeconds, type Runtime } from "../config/runtime.ts";
import { type Refusal, refusalOf } from "../errors/refusal.ts";
import type { Connection } from "../oidc/connection.ts";
import { isOutage } from "../oidc/issuer/outages/circuit-breaker.ts";
import { type RevocableToken, revokeToken } from "../oidc/token-revocation.ts";
import { endOfToken, type SessionData, type StoredSession } from "../session/session.ts";
import type { RecentSessions } from "../session/recent-sessions.ts";
import { withResult } from "../session/refresh-result.ts";

/** The first try and three more: without an answer the token lives on (RFC 7009, 2.2.1). */
const triesAtMost = 4;

/** Revokes in the background: a user who signs out does not wait for it. */
export function revokeTokens(context: Context, session: StoredSession | null): void {
  if (session === null) return;
  context.background.run("token revocation", revokeNewest(context, session));
}

async function revokeNewest(context: Context, session: StoredSession): Promise<void> {
  const connection = await context.connections.byID(session.header.connection ?? defaultID);
  // Its provider is not known here, or another one by now: tokens are sent to no other.
  if (connection?.registration.issuer !== session.header.issuer) return;
  const tokens = livingTokens(context, newestData(context.recent, session));
  const named = withConnection(context, connection);
  await Promise.all(tokens.map((token) => revokePatiently(named, connection, token)));
}

/** A refresh of a cookie may have ended since the session was read: then its tokens live. */
function newestData(recent: RecentSessions, session: StoredSession): SessionData {
  const known = recent.refreshOf(session);
  return known?.state === "done" ? withResult(session, known.result).data : session.data;
}

function livingTokens(
  context: Pick<Runtime, "clock">,
  data: SessionData,
): readonly RevocableToken[] {
  const { refreshToken, resourceTokens = {}, exchangedTokens = {} } = data;
  const now = nowSeconds(context);
  const others = [...Object.values(resourceTokens), ...Object.values(exchangedTokens)];
  const living = [data, ...others].filter((each) => endOfToken(each) > now);
  return [
    ...(refreshToken === undefined ? [] : [{ kind: "refresh", value: refreshToken } as const]),
    ...living.flatMap(({ accessToken }) =>
      accessToken === undefined ? [] : [{ kind: "access", value: accessToken } as const],
    ),
  ];
}

/** Retries while the provider cannot be reached, after the wait it names or one of our own. */
async function revokePatiently(
  runtime: Runtime,
  connection: Connection,
  token: RevocableToken,
): Promise<void> {
  const { background, log } = runtime;
  for (let tries = 1; ; tries += 1) {
    try {
      const isRevoked = await revokeToken(connection, token);
      if (isRevoked)
        log({ event: "token-revocation", token: token.kind, outcome: "revoked", tries });
      return;
    } catch (error) {
      const isLast = tries === triesAtMost || background.isClosing();
      if (!isOutage(error) || isLast) return logFailure(runtime, token, error, tries);
      await background.pause(waitMs(runtime, error, tries));
    }
  }
}

function waitMs(
  { fraction }: Pick<Runtime, "fraction">,
  { retryAfterSeconds = 0 }: Refusal,
  tries: number,
): number {
  return retryAfterSeconds * 1000 + fullJitterMs(tries, providerBackOff, fraction());
}

function logFailure(
  { log }: Pick<Runtime, "log">,
  { kind }: RevocableToken,
  error: unknown,
  tries: number,
): void {
  const outcome = isOutage(error) ? "failed" : "refused";
  const { reason } = refusalOf(error);
  log({ event: "token-revocation", token: kind, outcome, tries, reason });
}
