import { landingURL } from "../access/addresses.ts";
import { logProviderFault, revokeTokens } from "../access/revoke-tokens.ts";
import { peekAtSession } from "../access/visit-request.ts";
import type { Context } from "../context.ts";
import { Refusal } from "../errors/refusal.ts";
import { type Answer, redirect } from "../http/answers.ts";
import { parseCookies } from "../http/cookies.ts";
import { isCrossSite } from "../http/fetch-metadata.ts";
import { cookieHeaders, type HeaderList, sessionCacheHeaders } from "../http/headers.ts";
import { endSessionURL } from "../oidc/end-session.ts";
import type { StoredSession } from "../session/session.ts";
import { endTurns } from "./loop-guard.ts";
import { rememberLogout } from "./post-logout.ts";

/**
 * Signs out: the session here is ended first and always, then the provider is asked to end its own (RP-Initiated
 * Logout). A request that another site has made ends nothing and asks for confirmation.
 */
export async function logout(context: Context, request: Request): Promise<Answer> {
  if (isCrossSite(request, context.config.origin)) throw new Refusal("cross_site_logout");
  const session = await sessionOf(context, request);
  const cleared = await endSession(context, request, session);
  revokeTokens(context, session);
  const { location, setCookies } = await nextStop(context, session);
  return redirect(location, request.method === "POST" ? 303 : 302, [
    ...cleared,
    ...cookieHeaders(setCookies),
  ]);
}

/** Also an expired session tells the provider whose logout it is. A store that fails must not keep people in. */
async function sessionOf(context: Context, request: Request): Promise<StoredSession | null> {
  try {
    const found = await peekAtSession(context, request);
    return found.state === "none" ? null : found.stored;
  } catch {
    return null;
  }
}

async function endSession(
  context: Context,
  request: Request,
  session: StoredSession | null,
): Promise<HeaderList> {
  const { sessions, log } = context;
  const cookies = parseCookies(request);
  if (session !== null) log({ event: "sign-out", reason: "logout", sub: session.data.user.sub });
  const cleared = await sessions.end(session, cookies).catch((error: unknown) => {
    log({ event: "store-fault", error });
    return sessions.cookie.clear(cookies);
  });
  const setCookies = [...cleared, ...endTurns(context, cookies)];
  return [...sessionCacheHeaders, ...cookieHeaders(setCookies)];
}

interface NextStop {
  readonly location: string;
  readonly setCookies: readonly string[];
}

/** The provider's end-session endpoint; home where there is none, or where the provider does not answer. */
async function nextStop(context: Context, session: StoredSession | null): Promise<NextStop> {
  const { config, provider, randomText } = context;
  const landing = landingURL(config);
  if (!config.idpLogout) return { location: landing, setCookies: [] };
  try {
    const state = randomText(16);
    const url = endSessionURL(config, await provider.metadata(), {
      idToken: session?.data.idToken,
      postLogoutRedirectURI: landing,
      state,
    });
    return url === null
      ? { location: outcome(config.routes.postLogoutRedirect, landing, "still"), setCookies: [] }
      : { location: url, setCookies: [rememberLogout(context, state)] };
  } catch (error) {
    logProviderFault(context, error, "logout");
    const location = outcome(config.routes.postLogoutRedirect, landing, "unconfirmed");
    return { location, setCookies: [] };
  }
}

/** Our own signed-out page is told what became of the session at the provider; an app's page is left alone. */
function outcome(configured: string, landing: string, provider: "still" | "unconfirmed"): string {
  return configured.endsWith("/signed-out") ? `${landing}?provider=${provider}` : landing;
}
