import { parseCookie } from "cookie";

export { parseSetCookie } from "cookie";

import type { AuthRequest } from "./auth-request.ts";

/** The cookies of a request, by name. Where a name comes twice, the first one counts (RFC 6265bis, 5.8.3). */
export type Cookies = Readonly<Record<string, string | undefined>>;

/** How a cookie of ours is set; clearing uses the very same attributes. */
export interface CookieAttributes {
  readonly path: string;
  readonly domain?: string | undefined;
  readonly secure: boolean;
  readonly sameSite: "lax" | "strict" | "none";
}

const nothing: Cookies = Object.freeze(Object.create(null) as Record<string, undefined>);

export function parseCookies(request: Pick<AuthRequest, "headers">): Cookies {
  const header = request.headers.get("cookie");
  return header === null || header === "" ? nothing : parseCookie(header);
}

/**
 * A `Set-Cookie` value; without `expires` (epoch seconds) the cookie ends with the browser.
 *
 * @param value - cookie octets (RFC 6265bis, 4.1.1), as base64url and dots are
 */
export function setCookie(
  name: string,
  value: string,
  attributes: CookieAttributes,
  expires?: number,
): string {
  return `${name}=${value}${attributesText(attributes, expires)}`;
}

/** What stands behind the value in a `Set-Cookie`, from the first semicolon on: chunks share it. */
export function attributesText(
  { path, domain, secure, sameSite }: CookieAttributes,
  expires?: number,
): string {
  const attributes = [
    ...(domain === undefined ? [] : [`Domain=${domain}`]),
    `Path=${path}`,
    ...(expires === undefined ? [] : [`Expires=${new Date(expires * 1000).toUTCString()}`]),
    "HttpOnly",
    ...(secure ? ["Secure"] : []),
    `SameSite=${sameSite[0]?.toUpperCase()}${sameSite.slice(1)}`,
  ];
  return attributes.map((attribute) => `; ${attribute}`).join("");
}

/** Takes a cookie away, with the attributes it was set with. */
export function clearCookie(name: string, attributes: CookieAttributes): string {
  return setCookie(name, "", attributes, 0);
}
