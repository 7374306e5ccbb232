import { generateCookie } from "hono/cookie";
import { parse } from "hono/utils/cookie";
import type { AuthRequest, Config } from "latchkey";

/** Which devices a person has been signed out on. */
export type SignedOutDevices = "this" | "all";

/**
 * Carries the result of a sign-out to the next page. A cookie, because any site can make a link,
 * and no link may claim it.
 */
const cookieName = "signed_out_devices";
const lifetimeSeconds = 300;

/** Returns a `Set-Cookie` value for the page after a sign-out of all devices. */
export function rememberAllDevices({ basePath, pagesPrefix, session }: Config): string {
  return generateCookie(cookieName, "all", {
    path: `${basePath}${pagesPrefix}/signed-out`,
    httpOnly: true,
    // The provider leads back from another site.
    sameSite: "Lax",
    secure: session.cookie.secure,
    maxAge: lifetimeSeconds,
  });
}

/** Which devices were signed out a moment ago, as far as is known. */
export function signedOutDevices({ headers }: Pick<AuthRequest, "headers">): SignedOutDevices {
  const cookies = parse(headers.get("cookie") ?? "", cookieName);
  return cookies[cookieName] === "all" ? "all" : "this";
}
