import { absolute, homeURL, loginURL } from "../../request/addresses.ts";
import type { Exchange } from "../../request/exchange.ts";
import type { ProviderSession } from "../../config/pages.ts";
import type { Context } from "../../context.ts";
import { clearCookie, type CookieAttributes, setCookie } from "../../http/cookies.ts";
import { cookieHeaders } from "../../http/headers.ts";
import { html, redirect, type ResponseParts } from "../../http/response-parts.ts";
import { activeSession } from "../../session/read-session.ts";

/**
 * Stores the logout while the browser is at the provider: `<state>`, or `<state>.<copies end by>`.
 * After the return, `.<copies end by, if any>.<outcome>`.
 */
const cookieName = "auth_logout";
const lifetimeSeconds = 600;

/** What the page after logout must know of it. */
export interface RememberedLogout {
  /** The `state` of the request to the provider; `undefined` without a request. */
  readonly state?: string | undefined;
  /** See `SignedOut`. */
  readonly copiesEndBy?: number | undefined;
  /** What the provider's return has shown. */
  readonly outcome?: "ended" | "unconfirmed" | undefined;
}

/** Returns the cookie to recognize the return from the provider; none without data. */
export function rememberLogout(
  { config, clock }: Context,
  { state = "", copiesEndBy, outcome }: RememberedLogout,
): readonly string[] {
  if (state === "" && copiesEndBy === undefined && outcome === undefined) return [];
  const expires = Math.floor(clock() / 1000) + lifetimeSeconds;
  const end = outcome === undefined ? [copiesEndBy] : [copiesEndBy ?? "", outcome];
  const value = [state, ...end.filter((each) => each !== undefined)].join(".");
  return [setCookie(cookieName, value, attributes(config), expires)];
}

function readRemembered(value: string | undefined): RememberedLogout {
  const parts = /^([\w-]*)(?:\.(\d{0,12}))?(?:\.(ended|unconfirmed))?$/.exec(value ?? "");
  const [, state, end, outcome] = parts ?? [];
  return {
    state: state || undefined,
    copiesEndBy: end ? Number(end) : undefined,
    outcome: outcome === "ended" || outcome === "unconfirmed" ? outcome : undefined,
  };
}

/**
 * `GET <pages prefix>/signed-out`, the page after logout. Sends a signed-in browser home, and the
 * return from the provider on to the address without `state`, which a browser keeps in its history.
 */
export async function signedOut(context: Context, exchange: Exchange): Promise<ResponseParts> {
  const { config, pages } = context;
  const session = await exchange.read().then(activeSession, () => null);
  if (session !== null) return redirect(homeURL(config), 302);
  const remembered = readRemembered(exchange.cookies[cookieName]);
  const query = new URL(exchange.request.url).searchParams;
  if (query.has("state")) return withoutState(context, query, remembered);
  const { copiesEndBy } = remembered;
  const page = await pages.signedOut(
    {
      provider: providerSession(context, query, remembered),
      copiesEndBy,
      signInURL: loginURL(config),
      homeURL: homeURL(config),
    },
    exchange.request,
  );
  return html(page, 200, cookieHeaders([clearCookie(cookieName, attributes(config))]));
}

/** Compares the `state` with that of the logout, and keeps the outcome for the page. */
function withoutState(
  context: Context,
  query: URLSearchParams,
  { state, copiesEndBy, outcome: former }: RememberedLogout,
): ResponseParts {
  const isOurs = state !== undefined && query.get("state") === state;
  const isForeign = state !== undefined && !isOurs;
  if (isForeign) context.log({ event: "logout-state-mismatch", received: true });
  const outcome = isOurs ? "ended" : isForeign ? "unconfirmed" : former;
  const rest = new URLSearchParams(query);
  rest.delete("state");
  const search = rest.size === 0 ? "" : `?${rest}`;
  const address = absolute(context.config, context.config.routes.signedOut) + search;
  return redirect(address, 302, cookieHeaders(rememberLogout(context, { copiesEndBy, outcome })));
}

/**
 * Returns the state of the provider's session. The local session is gone anyway, so a missing or
 * wrong `state` is only logged, and the page makes no claim.
 */
function providerSession(
  { log }: Context,
  query: URLSearchParams,
  { state, outcome }: RememberedLogout,
): ProviderSession {
  if (outcome !== undefined) return outcome;
  if (state !== undefined) {
    log({ event: "logout-state-mismatch", received: false });
    return "unconfirmed";
  }
  const named = query.get("provider");
  return named === "still" || named === "unconfirmed" ? named : "unknown";
}

function attributes(config: Context["config"]): CookieAttributes {
  const { path, secure } = config.session.cookie;
  return { path, secure, sameSite: "lax" };
}
