import type { Config } from "../config/config.ts";

/**
 * The name of a cookie for this host alone: with the `__Host-` prefix if browsers accept it and no
 * other host shares the sign-in (RFC 6265bis, section 4.1.3.2).
 */
export function hostCookieName(
  { transactionCookie, session }: Pick<Config, "session" | "transactionCookie">,
  name: string,
): string {
  const { path, secure } = session.cookie;
  const isHostOnly = secure && path === "/" && transactionCookie.attributes.domain === undefined;
  return isHostOnly ? `__Host-${name}` : name;
}
