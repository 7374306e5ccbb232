import { generateCookie, getCookie } from "hono/cookie";

import type { PageContext, PageDeps } from "../page-deps.ts";

/** Keeps which browsers the user has recognized in this one; see decision 0115. */
const cookieName = "devices_known";
/** As long as activity is kept. */
const lifetimeSeconds = 30 * 86_400;
/** As many as there are events in the list of activity. */
const keptAtMost = 10;

/** The browsers that the user has recognized here, by their references. */
export function readRecognized(context: PageContext): readonly string[] {
  const references = (getCookie(context, cookieName) ?? "").split(".");
  return references.filter(isReference).slice(0, keptAtMost);
}

/** Returns a `Set-Cookie` value with one browser more. */
export function addRecognized(
  { config, rendering }: PageDeps,
  context: PageContext,
  browser: string,
): string {
  const references = [...new Set([browser, ...readRecognized(context)])];
  const value = references.filter(isReference).slice(0, keptAtMost).join(".");
  return generateCookie(cookieName, value, {
    path: rendering.site.root || "/",
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
