import type { Context } from "../context.ts";
import { logProviderFault } from "../oidc/log-provider-fault.ts";
import { AccessTokenError } from "../errors/access-token-error.ts";
import { Refusal } from "../errors/refusal.ts";
import type { Connection } from "../oidc/connection.ts";
import type { Connections } from "../oidc/connections.ts";
import type { AccessTokenRequest } from "../refresh/access-token-request.ts";
import type { Principal } from "../principal/principal.ts";
import { requireTokenExchange } from "../refresh/exchanged-token.ts";
import { SubjectRefused } from "../oidc/token-exchange.ts";
import { invalidToken } from "./token-refused.ts";

/**
 * Exchanges the token of a caller for one of another API. There is no session to keep the result:
 * the memory of this process does, by the hash of the token.
 *
 * @throws {TypeError} without `tokenExchange` in the options
 * @throws {TokenRefused} if the provider does not accept the token any more
 * @throws {AccessTokenError}
 */
export async function exchangeCallerToken(
  context: Context,
  { principal, sent }: { readonly principal: Principal; readonly sent: string },
  { exchange = {}, refresh = false }: AccessTokenRequest,
): Promise<string> {
  const tokenExchange = requireTokenExchange(context);
  const subject = {
    connection: await connectionOf(context, principal),
    accessToken: sent,
    expiresAt: principal.endsAt,
    held: {},
    save: async () => undefined,
  };
  try {
    return await tokenExchange.tokenFor(context, subject, exchange, refresh);
  } catch (error) {
    if (error instanceof SubjectRefused) {
      throw invalidToken(
        "The access token is no longer valid.",
        "the provider refused to exchange it",
      );
    }
    if (error instanceof AccessTokenError && error.cause instanceof Refusal) {
      logProviderFault(context, error.cause, error.message);
    }
    throw error;
  }
}

/**
 * A token goes to no provider but its own. Of several clients there the one that it names in `aud`
 * exchanges it, else the first.
 */
async function connectionOf(
  { connections }: { readonly connections: Connections },
  { issuer, claims }: Principal,
): Promise<Connection> {
  const audience: readonly unknown[] = [claims["aud"]].flat();
  const named = connections.all.filter(({ clientID }) => audience.includes(clientID));
  const areThere = await Promise.all(named.map((each) => each.issuer.isNamed(issuer)));
  const connection =
    named.find((_, place) => areThere[place]) ?? (await connections.ofIssuer(issuer));
  if (connection !== null) return connection;
  throw new AccessTokenError(
    "ERR_TOKEN_EXCHANGE",
    "Only tokens of the provider in LATCHKEY_ISSUER_BASE_URL or of another connection can be exchanged.",
  );
}
