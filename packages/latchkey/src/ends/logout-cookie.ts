import { type CookieAttributes, type Cookies, clearCookie, setCookie } from "../http/cookies.ts";
import { logoutCookie } from "../config/constants.ts";
import type { Config } from "../config/config.ts";
import type { SignedOut } from "../config/pages.ts";
import { nowSeconds, type Runtime } from "../config/runtime.ts";
import { absolute, landingURL } from "../config/addresses.ts";

const lifetimeSeconds = 600;

/**
 * What the page after logout must know of it. A cookie carries it there:
 * `<state>.<copies end by>.<outcome>.<other devices>`, each part empty if unknown.
 */
export interface RememberedLogout {
  /** The `state` of the request to the provider; `undefined` without a request. */
  readonly state?: string | undefined;
  /** See `SignedOutHere`. */
  readonly copiesEndBy?: number | undefined;
  /** What the provider's return has shown. */
  readonly outcome?: "ended" | "unconfirmed" | undefined;
  readonly otherDevices?: SignedOut["otherDevices"];
}

/** Returns the cookie for our page after logout; none without data, or for a page of the app. */
export function rememberLogout(
  { config, clock }: Pick<Runtime, "clock"> & { readonly config: Config },
  { state, copiesEndBy, outcome, otherDevices }: RememberedLogout,
): readonly string[] {
  const value = [state, copiesEndBy, outcome, otherDevices].join(".").replace(/\.+$/, "");
  if (value === "" || !hasOurLanding(config)) return [];
  const expires = nowSeconds({ clock }) + lifetimeSeconds;
  return [setCookie(logoutCookie, value, attributes(config), expires)];
}

/** Returns what is known of the last logout of this browser. */
export function rememberedLogout(cookies: Cookies): RememberedLogout {
  const form = /^([\w-]*)(?:\.(\d{0,12}))?(?:\.(ended|unconfirmed|))?(?:\.(all|\d{1,6}))?$/;
  const [, state, end, outcome, devices] = form.exec(cookies[logoutCookie] ?? "") ?? [];
  return {
    state: state || undefined,
    copiesEndBy: end ? Number(end) : undefined,
    outcome: outcome === "ended" || outcome === "unconfirmed" ? outcome : undefined,
    otherDevices: devices === undefined || devices === "all" ? devices : Number(devices),
  };
}

export function forgetLogout(config: Config): readonly string[] {
  return [clearCookie(logoutCookie, attributes(config))];
}

/** Whether the page after logout is our own. */
export function hasOurLanding(config: Config): boolean {
  return landingURL(config) === absolute(config, config.routes.signedOut);
}

function attributes(config: Config): CookieAttributes {
  const { path, secure } = config.session.cookie;
  return { path, secure, sameSite: "lax" };
}
