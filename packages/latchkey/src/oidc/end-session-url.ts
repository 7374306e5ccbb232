import type { JSONObject } from "../crypto/json-object.ts";
import { optionalText } from "./issuer/provider-document.ts";
import { withQuery } from "./authorization-request.ts";
import type { Connection } from "./connection.ts";
import type { Metadata } from "./issuer/metadata.ts";

/**
 * The longest address of a logout, in characters. Servers of Microsoft take no query above 2,048,
 * and Entra ID refuses the logout.
 */
const longestAddress = 2000;

export interface LogoutRequest {
  readonly idToken: string | undefined;
  /** Claims of the user who signs out. */
  readonly user: JSONObject;
  readonly postLogoutRedirectURI: string;
  readonly state: string | undefined;
}

/**
 * Returns the address for RP-initiated logout (RP-Initiated Logout 1.0, section 2); `null` if the
 * provider has no such endpoint. An ID token that makes it too long is left out: `logout_hint`
 * takes its place, and the provider may ask the user for a confirmation.
 */
export function endSessionURL(
  { clientID }: Pick<Connection, "clientID">,
  metadata: Metadata,
  { idToken, user, postLogoutRedirectURI, state }: LogoutRequest,
): string | null {
  const endpoint = metadata.end_session_endpoint;
  if (endpoint === undefined) return null;
  const addressWith = (hint: Readonly<Record<string, string>>) =>
    withQuery(endpoint, {
      ...hint,
      client_id: clientID,
      post_logout_redirect_uri: postLogoutRedirectURI,
      ...(state === undefined ? {} : { state }),
    });
  if (idToken === undefined) return addressWith({});
  const addresses = [{ id_token_hint: idToken }, logoutHint(user)].map(addressWith);
  return addresses.find(({ length }) => length <= longestAddress) ?? addressWith({});
}

/** The name by which the provider knows the user; Entra ID has a claim for it. */
function logoutHint(user: JSONObject): Readonly<Record<string, string>> {
  const names = [user["login_hint"], user["preferred_username"], user["email"]];
  const hint = names.map(optionalText.read).find((name) => name !== undefined);
  return hint === undefined ? {} : { logout_hint: hint };
}
