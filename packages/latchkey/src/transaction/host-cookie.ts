import type { Config } from "../config/config.ts";
import type { CookieAttributes } from "../http/cookies.ts";

interface HostCookie {
  readonly name: string;
  readonly attributes: CookieAttributes;
}

/**
 * A cookie for this host alone: its name has the `__Host-` prefix if browsers accept it and no
 * other host shares the sign-in (RFC 6265bis, section 4.1.3.2).
 */
export function hostCookie(
  { transactionCookie, session }: Pick<Config, "session" | "transactionCookie">,
  name: string,
): HostCookie {
  const { path, secure } = session.cookie;
  const isHostOnly = secure && path === "/" && transactionCookie.attributes.domain === undefined;
  return {
    name: isHostOnly ? `__Host-${name}` : name,
    attributes: { path, secure, sameSite: "lax" },
  };
}
