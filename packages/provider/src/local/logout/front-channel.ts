import type { Context } from "oidc-provider";
import type { ClientSettings } from "../settings.ts";

/**
 * The addresses for a browser to load in frames, one for each application in its session (OpenID
 * Connect Front-Channel Logout 1.0, section 3).
 */
export function logoutFrames(
  { oidc }: Context,
  clients: readonly ClientSettings[],
  issuer: string,
): readonly string[] {
  const authorizations = oidc?.session?.authorizations ?? {};
  return clients.flatMap(({ id, frontchannelLogoutURI }) => {
    const sid = authorizations[id]?.sid;
    if (frontchannelLogoutURI === undefined || sid === undefined) return [];
    const address = new URL(frontchannelLogoutURI);
    address.searchParams.set("iss", issuer);
    address.searchParams.set("sid", sid);
    return [address.href];
  });
}
