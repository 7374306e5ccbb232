import { homeURL, loginURL } from "../../request/addresses.ts";
import type { Exchange } from "../../request/exchange.ts";
import type { ProviderSession } from "../../config/pages.ts";
import type { Context } from "../../context.ts";
import { clearCookie, type CookieAttributes, setCookie } from "../../http/cookies.ts";
import { cookieHeaders } from "../../http/headers.ts";
import { html, redirect, type ResponseParts } from "../../http/response-parts.ts";
import { activeSession } from "../../session/read-session.ts";

/**
 * Stores the logout while the browser is at the provider: `<state>`, or `<state>.<copies end by>`.
 */
const cookieName = "auth_logout";
const lifetimeSeconds = 600;

/** What the page after logout must know of it. */
export interface RememberedLogout {
  /** The `state` of the request to the provider; `undefined` without a request. */
  readonly state?: string | undefined;
  /** See `SignedOut`. */
  readonly copiesEndBy?: number | undefined;
}

/** Returns the cookie to recognize the return from the provider; none without data. */
export function rememberLogout(
  { config, clock }: Context,
  { state = "", copiesEndBy }: RememberedLogout,
): readonly string[] {
  if (state === "" && copiesEndBy === undefined) return [];
  const expires = Math.floor(clock() / 1000) + lifetimeSeconds;
  const value = copiesEndBy === undefined ? state : `${state}.${copiesEndBy}`;
  return [setCookie(cookieName, value, attributes(config), expires)];
}

function readRemembered(value: string | undefined): RememberedLogout {
  const [, state, end] = /^([\w-]*)(?:\.(\d{1,12}))?$/.exec(value ?? "") ?? [];
  return { state: state || undefined, copiesEndBy: end === undefined ? undefined : Number(end) };
}

/** `GET <pages prefix>/signed-out`, the page after logout. Sends a signed-in browser home. */
export async function signedOut(context: Context, exchange: Exchange): Promise<ResponseParts> {
  const { config, pages } = context;
  const session = await exchange.read().then(activeSession, () => null);
  if (session !== null) return redirect(homeURL(config), 302);
  const { state, copiesEndBy } = readRemembered(exchange.cookies[cookieName]);
  const page = await pages.signedOut(
    {
      provider: providerSession(context, exchange, state),
      copiesEndBy,
      signInURL: loginURL(config),
      homeURL: homeURL(config),
    },
    exchange.request,
  );
  return html(page, 200, cookieHeaders([clearCookie(cookieName, attributes(config))]));
}

/**
 * Returns the state of the provider's session. The local session is gone anyway, so a missing or
 * wrong `state` is only logged, and the page makes no claim.
 */
function providerSession(
  { log }: Context,
  { request }: Exchange,
  expected: string | undefined,
): ProviderSession {
  const query = new URL(request.url).searchParams;
  if (expected === undefined) {
    const named = query.get("provider");
    return named === "still" || named === "unconfirmed" ? named : "unknown";
  }
  if (query.get("state") === expected) return "ended";
  log({ event: "logout-state-mismatch", received: query.has("state") });
  return "unconfirmed";
}

function attributes(config: Context["config"]): CookieAttributes {
  const { path, secure } = config.session.cookie;
  return { path, secure, sameSite: "lax" };
}
