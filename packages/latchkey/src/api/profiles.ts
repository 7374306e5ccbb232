import type { JSONObject } from "../crypto/json-object.ts";

/** How the access tokens of a provider differ from each other. */
export interface Profile {
  /** Accepted `typ` of the header, in lower case without `application/`; `""` for none. */
  readonly types: readonly string[];
  /** Claims that must be there, beside `iss`, `sub` and `exp`. */
  readonly required: readonly string[];
  /**
   * Whether the claims mark an access token, if nothing else distinguishes it from an ID token.
   *
   * @param signInClients - the client IDs of sign-ins, which their ID tokens name in `aud`
   */
  readonly isMarked: (claims: JSONObject, signInClients: readonly string[]) => boolean;
  /** What to change if the token has another form. */
  readonly hint: string;
  /** What to change at the provider if the token is for another audience. */
  readonly audienceHint?: string;
}

export type ProfileName = "rfc9068" | "entra" | "auth0" | "okta" | "keycloak" | "cognito";

const hasClient = ({ client_id: id, azp, cid }: JSONObject) =>
  [id, azp, cid].some((each) => each !== undefined);

const isGranted = ({ scope, permissions, gty }: JSONObject) =>
  [scope, permissions, gty].some((each) => each !== undefined);

const isAmong = (name: unknown, names: readonly unknown[]) => names.includes(name);

const sendAccessToken = "send the access token, not the ID token";

/** Sources and dates are in the guide "APIs". */
export const profiles: Readonly<Record<ProfileName, Profile>> = {
  rfc9068: {
    types: ["at+jwt"],
    required: ["aud", "iat", "jti", "client_id"],
    isMarked: () => true,
    hint: "for tokens that are not made by RFC 9068 name a profile, such as entra or keycloak",
  },
  entra: {
    types: ["jwt", "at+jwt"],
    required: ["aud", "iat"],
    // An ID token has roles too, but names no client.
    isMarked: ({ scp, roles, azp, appid }) =>
      (typeof scp === "string" || Array.isArray(roles)) && (azp ?? appid) !== undefined,
    hint: sendAccessToken,
    audienceHint:
      "ask for a scope of this API, api://…/name; in the manifest of the API set requestedAccessTokenVersion to 2",
  },
  auth0: {
    types: ["jwt", "at+jwt"],
    required: ["aud", "iat"],
    // An ID token may name its client in azp, but nothing that was granted.
    isMarked: (claims, signInClients) =>
      hasClient(claims) &&
      (isGranted(claims) || ![claims["aud"]].flat().some((each) => isAmong(each, signInClients))),
    hint: sendAccessToken,
    audienceHint: "ask for the audience of this API: without it tokens of Auth0 are opaque",
  },
  okta: {
    types: ["", "jwt", "at+jwt"],
    required: ["aud", "iat"],
    isMarked: ({ cid, client_id: id }) => cid !== undefined || id !== undefined,
    hint: sendAccessToken,
    audienceHint:
      "tokens of Okta's org server are for Okta alone: use a custom authorization server",
  },
  keycloak: {
    types: ["jwt", "at+jwt"],
    required: ["aud", "iat"],
    isMarked: ({ typ, cnf }) => typ === "Bearer" || (typ === "DPoP" && cnf !== undefined),
    hint: sendAccessToken,
    audienceHint: "add an audience mapper to a client scope of Keycloak",
  },
  cognito: {
    types: ["", "jwt", "at+jwt"],
    required: ["iat", "client_id"],
    isMarked: ({ token_use: use }) => use === "access",
    hint: sendAccessToken,
  },
};
