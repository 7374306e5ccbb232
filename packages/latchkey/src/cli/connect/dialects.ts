/** What the consoles of providers call what an app registers. */
export interface Dialect {
  readonly name: string;
  /** Its page below `docs/providers`. */
  readonly id: string;
  /** Matches issuers of this provider. */
  readonly issuer: RegExp;
  /** The fields for the redirect URI and for the address after logout. */
  readonly fields: { readonly callback: string; readonly signedOut?: string };
  readonly clientID: string;
  readonly clientSecret: string;
  /** What else to choose there, by its field. */
  readonly choices?: readonly (readonly [field: string, value: string])[];
  /** Variables that every app at this provider needs. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** The console's own names, the first match wins. The pages of the providers show the same. */
export const dialects: readonly Dialect[] = [
  {
    name: "Google",
    id: "google",
    issuer: /^https:\/\/accounts\.google\.com/,
    fields: { callback: "Authorized redirect URIs" },
    clientID: "Client ID",
    clientSecret: "Client secret",
    choices: [["Application type", "Web application"]],
  },
  {
    name: "Entra ID",
    id: "entra-id",
    issuer: /^https:\/\/login\.microsoftonline\.com\//,
    fields: { callback: "Redirect URIs", signedOut: "Redirect URIs" },
    clientID: "Application (client) ID",
    clientSecret: "Value",
    choices: [["Authentication, platform", "Web"]],
  },
  {
    name: "Cognito",
    id: "cognito",
    issuer: /^https:\/\/cognito-idp\./,
    fields: { callback: "Allowed callback URLs" },
    clientID: "Client ID",
    clientSecret: "Client secret",
    choices: [
      ["Application type", "Traditional web application"],
      ["OAuth grant types", "Authorization code grant"],
      ["OpenID Connect scopes", "OpenID, Email, Profile"],
    ],
    // Its logout page has other parameters than the standard.
    variables: { LATCHKEY_IDP_LOGOUT: "false" },
  },
  {
    name: "Auth0",
    id: "auth0",
    issuer: /\.auth0\.com/,
    fields: { callback: "Allowed Callback URLs", signedOut: "Allowed Logout URLs" },
    clientID: "Client ID",
    clientSecret: "Client Secret",
    choices: [["Application type", "Regular Web Application"]],
  },
  {
    name: "Okta",
    id: "okta",
    issuer: /\.okta(?:preview|-emea)?\.com/,
    fields: { callback: "Sign-in redirect URIs", signedOut: "Sign-out redirect URIs" },
    clientID: "Client ID",
    clientSecret: "Client Secret",
    choices: [
      ["Application type", "Web Application"],
      ["Grant type", "Authorization Code"],
    ],
  },
  {
    name: "Zitadel",
    id: "zitadel",
    issuer: /\.zitadel\.cloud/,
    fields: { callback: "Redirect URIs", signedOut: "Post Logout URIs" },
    clientID: "Client ID",
    clientSecret: "Client Secret",
    choices: [
      ["Application type", "Web"],
      ["Authentication Method", "Basic"],
      ["Development Mode", "on while an address is http"],
    ],
  },
  {
    name: "Ory",
    id: "ory",
    issuer: /\.oryapis\.com/,
    fields: { callback: "--redirect-uri", signedOut: "--post-logout-callback" },
    clientID: "client_id",
    clientSecret: "client_secret",
    choices: [
      ["--grant-type", "authorization_code,refresh_token"],
      ["--response-type", "code"],
      ["--token-endpoint-auth-method", "client_secret_basic"],
    ],
  },
  {
    name: "GitLab",
    id: "gitlab",
    issuer: /^https:\/\/gitlab\./,
    fields: { callback: "Redirect URI" },
    clientID: "Application ID",
    clientSecret: "Secret",
    choices: [
      ["Confidential", "on"],
      ["Scopes", "openid, profile, email"],
    ],
  },
  {
    name: "Keycloak",
    id: "keycloak",
    issuer: /\/realms\/[^/]+$/,
    fields: { callback: "Valid redirect URIs", signedOut: "Valid post logout redirect URIs" },
    clientID: "Client ID",
    clientSecret: "Client Secret",
    choices: [
      ["Client authentication", "on"],
      ["Authentication flow", "Standard flow"],
    ],
  },
  {
    name: "authentik",
    id: "authentik",
    issuer: /\/application\/o\/[^/]+\/$/,
    fields: { callback: "Redirect URIs", signedOut: "Redirect URIs" },
    clientID: "Client ID",
    clientSecret: "Client Secret",
    choices: [
      ["Client type", "Confidential"],
      ["Signing Key", "a certificate"],
    ],
  },
];

/** The words of the standards, for other providers. */
const standard: Dialect = {
  name: "Your provider",
  id: "",
  issuer: /./,
  fields: { callback: "redirect_uris", signedOut: "post_logout_redirect_uris" },
  clientID: "client_id",
  clientSecret: "client_secret",
};

export function dialectOf(issuer: string): Dialect {
  return dialects.find((dialect) => dialect.issuer.test(issuer)) ?? standard;
}
