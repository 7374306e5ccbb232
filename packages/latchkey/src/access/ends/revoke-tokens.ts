import { fullJitterMs } from "../../back-off.ts";
import { providerBackOff } from "../../config/constants.ts";
import { type Context, nowSeconds } from "../../context.ts";
import { type Refusal, refusalOf } from "../../errors/refusal.ts";
import { isOutage } from "../../oidc/outages/circuit-breaker.ts";
import { type RevocableToken, revokeToken } from "../../oidc/token-revocation.ts";
import type { SessionData, StoredSession } from "../../session/session.ts";
import { withResult } from "../../session/tickets/refresh-result.ts";

/** The first try and three more: a provider that cannot be asked lets the token live on (RFC 7009, 2.2.1). */
const triesAtMost = 4;

/** In the background: whoever leaves does not wait for it, and cannot help where it fails. */
export function revokeTokens(context: Context, session: StoredSession | null): void {
  if (session === null) return;
  context.background.run("token revocation", revokeNewest(context, session));
}

async function revokeNewest(context: Context, session: StoredSession): Promise<void> {
  const tokens = livingTokens(context, await newestData(context, session));
  await Promise.all(tokens.map((token) => revokePatiently(context, token)));
}

/** A refresh may have ended since the session was read: then the tokens that it brought are the ones that live. */
async function newestData({ tickets }: Context, session: StoredSession): Promise<SessionData> {
  const ticket = tickets.of(session);
  if (ticket === null) return session.data;
  const found = await tickets.look(ticket).catch(() => tickets.known(ticket));
  if (found.state !== "done") return session.data;
  // The store has told its fault, and forgets the ticket by itself later.
  await tickets.forget(ticket).catch(() => undefined);
  return withResult(session, found.result).data;
}

function livingTokens(context: Context, data: SessionData): readonly RevocableToken[] {
  const { refreshToken, resourceTokens = {} } = data;
  const now = nowSeconds(context);
  const living = [data, ...Object.values(resourceTokens)].filter(
    ({ accessTokenExpiresAt = Infinity }) => accessTokenExpiresAt > now,
  );
  return [
    ...(refreshToken === undefined ? [] : [{ kind: "refresh", value: refreshToken } as const]),
    ...living.flatMap(({ accessToken }) =>
      accessToken === undefined ? [] : [{ kind: "access", value: accessToken } as const],
    ),
  ];
}

/** Again and again while the provider cannot be asked, after the wait that it names or one of our own. */
async function revokePatiently(context: Context, token: RevocableToken): Promise<void> {
  const { config, provider, background, log } = context;
  for (let tries = 1; ; tries += 1) {
    try {
      const isRevoked = await revokeToken(config, provider, token);
      if (isRevoked)
        log({ event: "token-revocation", token: token.kind, outcome: "revoked", tries });
      return;
    } catch (error) {
      const isLast = tries === triesAtMost || background.isClosing();
      if (!isOutage(error) || isLast) return logFailure(context, token, error, tries);
      await background.pause(waitMs(context, error, tries));
    }
  }
}

function waitMs({ fraction }: Context, { retryAfterSeconds = 0 }: Refusal, tries: number): number {
  return retryAfterSeconds * 1000 + fullJitterMs(tries, providerBackOff, fraction());
}

function logFailure(
  { log }: Context,
  { kind }: RevocableToken,
  error: unknown,
  tries: number,
): void {
  const outcome = isOutage(error) ? "failed" : "refused";
  const { reason } = refusalOf(error);
  log({ event: "token-revocation", token: kind, outcome, tries, reason });
}

export function logProviderFault({ log }: Context, error: unknown, detail: string): void {
  log({ event: "provider-fault", reason: refusalOf(error).reason, detail });
}
