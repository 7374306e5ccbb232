import { type Context, logOf } from "../context.ts";
import { isRefusal, Refusal } from "../errors/refusal.ts";
import type { Exchange } from "../request/exchange.ts";
import { foundSession } from "../session/read-session.ts";
import type { StoredSession } from "../session/session.ts";

/**
 * Ends the session of a request for good.
 *
 * @param setCookies - go with the response, too
 * @returns the session; `null` without one
 */
export async function endSession(
  context: Context,
  exchange: Exchange,
  setCookies?: readonly string[],
): Promise<StoredSession | null> {
  const stored = foundSession(await exchange.read());
  exchange.clear(setCookies);
  return stored && ((await context.sessions.end(stored)) ?? stored);
}

/** The user of the session would be admitted by no sign-in, or by a better one only. */
const forbidding = [
  "organization_mismatch",
  "tenant_not_admitted",
  "email_domain_mismatch",
  "step_up_unmet",
] as const;

/** Ends the session if the provider, or a rule of its connection, has given a reason to. */
export async function endIfForbidden(
  context: Context,
  exchange: Exchange,
  cause: unknown,
): Promise<void> {
  if (!(cause instanceof Refusal) || !isRefusal(cause, ...forbidding)) return;
  const stored = foundSession(await exchange.read());
  if (stored === null) return;
  exchange.clear([], stored);
  const { header, data } = (await context.sessions.end(stored)) ?? stored;
  const session = header.id;
  const of = { sub: data.user.sub, session, cause: cause.reason };
  logOf(context, header)({ event: "sign-out", reason: "ended", ...of });
}
