import { type Context, logOf } from "../context.ts";
import { AccessTokenError } from "../errors/access-token-error.ts";
import { LatchkeyError } from "../errors/latchkey-error.ts";
import { isRefusal, Refusal } from "../errors/refusal.ts";
import { logProviderFault } from "../oidc/log-provider-fault.ts";
import type { Exchange } from "../request/exchange.ts";
import { updateSession } from "../request/save-session.ts";
import { activeSession } from "../session/read-session.ts";
import { endOfToken, type SessionData } from "../session/session.ts";
import { type Subject, SubjectRefused, type TokenExchange } from "../oidc/token-exchange.ts";
import type { AccessTokenRequest } from "./access-token-request.ts";
import { missingSession } from "./failed-refresh.ts";

type TokenSource = (
  context: Context,
  exchange: Exchange,
  request?: AccessTokenRequest,
) => Promise<string>;

/**
 * Exchanges the token of the sign-in for one of another API. If the provider refuses the token, it
 * is refreshed once.
 *
 * @param tokenOfSignIn - returns a good token of the sign-in
 * @throws {TypeError} without `tokenExchange` in the options
 * @throws {AccessTokenError}
 */
export async function exchangedToken(
  context: Context,
  exchange: Exchange,
  { exchange: target = {}, refresh = false, ...others }: AccessTokenRequest,
  tokenOfSignIn: TokenSource,
): Promise<string> {
  const tokenExchange = requireTokenExchange(context);
  if (others.resource !== undefined || others.scopes !== undefined) {
    throw new TypeError("accessToken({ exchange }) takes resource and scopes inside exchange.");
  }

  async function attempt(request?: AccessTokenRequest): Promise<string> {
    const accessToken = await tokenOfSignIn(context, exchange, request);
    const subject = await subjectOf(context, exchange, accessToken);
    return tokenExchange.tokenFor(context, subject, target, refresh);
  }

  try {
    return await attempt().catch((error: unknown) => {
      if (!(error instanceof SubjectRefused) || !canRefresh(exchange)) throw error;
      return attempt({ refresh: true });
    });
  } catch (error) {
    if (error instanceof SubjectRefused) throw subjectEnded(error);
    if (error instanceof AccessTokenError && error.cause instanceof Refusal) {
      const header = activeSession(exchange.current())?.header ?? {};
      const log = logOf(context, header);
      logProviderFault({ log }, error.cause, error.message);
    }
    throw error;
  }
}

/** @throws {TypeError} without `tokenExchange` in the options */
export function requireTokenExchange({
  tokenExchange,
}: {
  readonly tokenExchange: TokenExchange | null;
}): TokenExchange {
  if (tokenExchange !== null) return tokenExchange;
  throw new TypeError(
    'accessToken({ exchange }) needs createAuth({ tokenExchange: tokenExchange({ form: "rfc8693" }) }), of latchkey/token-exchange.',
  );
}

function canRefresh(exchange: Exchange): boolean {
  const result = exchange.current();
  return result !== null && activeSession(result)?.data.refreshToken !== undefined;
}

function subjectEnded(cause: SubjectRefused): AccessTokenError {
  return new AccessTokenError(
    "ERR_EXPIRED_ACCESS_TOKEN",
    "The provider does not accept the access token of the session for an exchange any more. The user will need to sign in again.",
    { cause },
  );
}

async function subjectOf(
  context: Context,
  exchange: Exchange,
  accessToken: string,
): Promise<Subject> {
  const stored = activeSession(await exchange.use());
  if (stored === null) throw missingSession();
  const { header, data } = stored;
  return {
    connection: context.connections.ofSession(header),
    accessToken,
    expiresAt: endOfToken(data),
    held: data.exchangedTokens ?? {},
    save: (change) => saveTokens(context, exchange, accessToken, change),
  };
}

/** Tokens that the session has no place for are exchanged again by the next request. */
async function saveTokens(
  context: Context,
  exchange: Exchange,
  accessToken: string,
  change: Parameters<Subject["save"]>[0],
): Promise<void> {
  if (!exchange.isOpen() || exchange.request.changes?.fault?.() != null) return;
  const withTokens = (data: SessionData): SessionData =>
    data.accessToken === accessToken
      ? { ...data, exchangedTokens: change(data.exchangedTokens ?? {}) }
      : data;
  try {
    if ((await updateSession(context, exchange, withTokens)) === null) throw missingSession();
  } catch (error) {
    if (!cannotBeKept(error)) throw error;
  }
}

function cannotBeKept(error: unknown): boolean {
  const isRefused = isRefusal(error, "session_too_large", "store_unavailable");
  return isRefused || (error instanceof LatchkeyError && error.code === "ERR_HEADERS_SENT");
}
