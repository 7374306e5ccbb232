import type { Config } from "../config/config.ts";
import { withQuery } from "./authorization-request.ts";
import type { Metadata } from "./metadata.ts";

/** The longest hint in an address. Servers refuse a longer request. */
const longestHint = 6 * 1024;

/**
 * Returns the address for RP-initiated logout (RP-Initiated Logout 1.0, section 2); `null` if the
 * provider has no such endpoint.
 */
export function endSessionURL(
  config: Config,
  metadata: Metadata,
  request: {
    readonly idToken: string | undefined;
    readonly postLogoutRedirectURI: string;
    readonly state: string | undefined;
  },
): string | null {
  const endpoint = metadata.end_session_endpoint;
  if (endpoint === undefined) return null;
  const { idToken, postLogoutRedirectURI, state } = request;
  const hint = idToken !== undefined && idToken.length <= longestHint ? idToken : undefined;
  return withQuery(endpoint, {
    ...(hint === undefined ? {} : { id_token_hint: hint }),
    client_id: config.clientID,
    post_logout_redirect_uri: postLogoutRedirectURI,
    ...(state === undefined ? {} : { state }),
  });
}
