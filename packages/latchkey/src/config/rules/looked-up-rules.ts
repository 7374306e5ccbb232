import type { ConnectionSettings } from "../config.ts";

/**
 * Returns what a connection that was looked up must not have; `null` if it is good. A customer
 * chooses the issuer, and another one may have the same: nothing but the issuer may vouch for its
 * users, since an identity is issuer and `sub`.
 */
export function faultOfLookedUp(
  settings: Pick<ConnectionSettings, "issuerBaseURL" | "metadataURL" | "responseType">,
): string | null {
  const { issuerBaseURL, metadataURL = issuerBaseURL, responseType } = settings;
  if (new URL(metadataURL).origin !== new URL(issuerBaseURL).origin) {
    return "metadataURL is at another origin than the issuer: its keys could be anyone's";
  }
  return responseType === "id_token"
    ? "with responseType id_token, an ID token for another app of the client would count here: use code"
    : null;
}
