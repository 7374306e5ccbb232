import type { Context } from "../context.ts";
import { clearCookie, type CookieAttributes, parseCookies, setCookie } from "../http/cookies.ts";
import { type HeaderList, noStoreHeaders } from "../http/headers.ts";

/** Holds the `state` of a logout while the browser is at the provider. */
const cookieName = "auth_logout";
const lifetimeSeconds = 600;

/** What became of the provider's own session, as far as we know. */
export interface SignedOut {
  /** `ended`: the provider says so. `still`: it offers no way. `unconfirmed`: it did not answer, or wrongly. */
  readonly provider: "ended" | "still" | "unconfirmed" | "unknown";
  readonly headers: HeaderList;
}

/** The cookie with which the return from the provider is recognised. */
export function rememberLogout({ config, clock }: Context, state: string): string {
  const expires = Math.floor(clock() / 1000) + lifetimeSeconds;
  return setCookie(cookieName, state, attributes(config), expires);
}

/**
 * Reads a request for the page after logout. A `state` that is missing or another one changes nothing, the
 * session here is gone anyway; it is logged, and the page will not claim more than it knows.
 */
export function readSignedOut({ config, log }: Context, request: Request): SignedOut {
  const expected = parseCookies(request)[cookieName];
  const query = new URL(request.url).searchParams;
  if (expected === undefined) return { provider: outcomeIn(query), headers: noStoreHeaders };
  const confirmed = query.get("state") === expected;
  if (!confirmed) log({ event: "logout-state-mismatch", received: query.has("state") });
  const cleared = clearCookie(cookieName, attributes(config));
  return {
    provider: confirmed ? "ended" : "unconfirmed",
    headers: [...noStoreHeaders, ["Set-Cookie", cleared]],
  };
}

function outcomeIn(query: URLSearchParams): SignedOut["provider"] {
  const outcome = query.get("provider");
  return outcome === "still" || outcome === "unconfirmed" ? outcome : "unknown";
}

function attributes(config: Context["config"]): CookieAttributes {
  const { path, secure } = config.session.cookie;
  return { path, secure, sameSite: "lax" };
}
