import { generateCookie, getCookie } from "hono/cookie";

import type { PageContext, PageDeps } from "../page-deps.ts";

/**
 * Keeps which browsers the user has recognized in this one; see decision 0115. Over https a sister
 * host cannot set it for this one, and thus answer in the user's place (RFC 6265bis, 4.1.3.2).
 */
const cookieName = "devices_known";
const hostCookieName = `__Host-${cookieName}`;

function nameOf({ session }: PageDeps["config"]): string {
  return session.cookie.secure ? hostCookieName : cookieName;
}

/** As long as activity is kept. */
const lifetimeSeconds = 30 * 86_400;
/** As many as there are events in the list of activity. */
const keptAtMost = 10;

/** The browsers that the user has recognized here, by their references. */
export function readRecognized(
  { config }: Pick<PageDeps, "config">,
  context: PageContext,
): readonly string[] {
  const references = (getCookie(context, nameOf(config)) ?? "").split(".");
  return references.filter(isReference).slice(0, keptAtMost);
}

/** Returns a `Set-Cookie` value with one browser more. */
export function addRecognized(
  { config }: Pick<PageDeps, "config">,
  context: PageContext,
  browser: string,
): string {
  const references = [...new Set([browser, ...readRecognized({ config }, context)])];
  const value = references.filter(isReference).slice(0, keptAtMost).join(".");
  return generateCookie(nameOf(config), value, {
    // What the prefix demands.
    path: "/",
    httpOnly: true,
    // With "Strict" the question would be there again after each link of another site.
    sameSite: "Lax",
    secure: config.session.cookie.secure,
    maxAge: lifetimeSeconds,
  });
}

function isReference(text: string): boolean {
  return /^[2-9A-Z]{4}-[2-9A-Z]{4}$/.test(text);
}
