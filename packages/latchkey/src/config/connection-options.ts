import type { AsymmetricAlgorithm, SymmetricAlgorithm } from "./signing-algorithms.ts";

/** Which users a connection is for. */
interface ChoiceSettings {
  /**
   * Name of the connection on the page where users choose one. By default its id, and for the
   * connection `default` the host of its issuer.
   */
  label?: string | undefined;

  /**
   * E-mail domains of the users of this connection, such as `acme.example`. Each belongs to one
   * connection; a subdomain counts only if it is listed.
   *
   * @default []
   */
  domains?: readonly string[] | undefined;

  /**
   * Whether a user with an e-mail address of another domain, or with one that the provider has not
   * confirmed, may sign in. By default `refuse`, if there are domains.
   */
  otherEmails?: "refuse" | "admit" | undefined;

  /**
   * Whether a user who is refused for the e-mail address reads which domains are admitted, at most
   * three. If they name customers whom other users of the provider should not know: `false`.
   *
   * @default true
   */
  revealDomains?: boolean | undefined;

  /**
   * Hosts of the app which offer this connection, such as `acme.app.example.com`. By default all.
   *
   * @default []
   */
  hosts?: readonly string[] | undefined;

  /**
   * Leaves the connection out of the page where users choose one. Its own address, an e-mail domain
   * or the provider still lead to it.
   *
   * @default false
   */
  hidden?: boolean | undefined;

  /**
   * Authentication context classes, of which the user's sign-in must have one (`acr`, OpenID
   * Connect Core 2). Without them the provider decides.
   *
   * @default []
   */
  acr?: readonly string[] | undefined;
}

/** The settings of one provider: of the client there, and who signs in with it. */
export interface ProviderSettings extends ChoiceSettings {
  /**
   * Issuer identifier of the provider, exactly as its metadata spells it. Must be https, except on
   * this machine.
   */
  issuerBaseURL: string;

  /**
   * Address of the provider's metadata, if it is not `<issuer>/.well-known/openid-configuration`:
   * for Azure AD B2C, or for a provider which this server reaches at another address than browsers.
   * May have a query. Must be https, except if the issuer is on this machine.
   */
  metadataURL?: string | undefined;

  /**
   * For Entra ID's address of several tenants (`…/common/v2.0`, `…/organizations/v2.0`): the ids of
   * the tenants whose users may sign in, or `any` alone for every tenant there is.
   */
  tenants?: readonly string[] | undefined;

  /** Client ID of this app at the provider. */
  clientID: string;

  /** Client secret of this app at the provider. Required unless a signing key replaces it. */
  clientSecret?: string | undefined;

  /**
   * Client authentication at the provider. By default `client_secret_basic`, or `private_key_jwt`
   * with a signing key.
   */
  clientAuthMethod?:
    | "client_secret_basic"
    | "client_secret_post"
    | "client_secret_jwt"
    | "private_key_jwt"
    | undefined;

  /** Private key for `private_key_jwt`: PKCS #8 as PEM, or a JWK as JSON. */
  clientAssertionSigningKey?: string | undefined;

  /**
   * Algorithm of the signing key.
   *
   * @default "RS256"
   */
  clientAssertionSigningAlg?: AsymmetricAlgorithm | undefined;

  /**
   * OAuth response type. The types with `id_token` need `form_post`.
   *
   * @default "code"
   */
  responseType?: "code" | "code id_token" | "id_token" | undefined;

  /**
   * How the provider returns its response: in the address, or as a posted form, which needs an
   * https base URL. By default `query` for the type `code` and `form_post` for the others.
   */
  responseMode?: "query" | "form_post" | undefined;

  /**
   * Requested scopes, separated by spaces. Must contain `openid`; `offline_access` requests a
   * refresh token.
   *
   * @default "openid profile email"
   */
  scope?: string | undefined;

  /**
   * Longest time in seconds since the user last authenticated at the provider; 0 means
   * authentication at every sign-in. Without it the provider decides.
   */
  maxAge?: number | undefined;

  /**
   * Other APIs that the app calls, by their resource indicators (RFC 8707), for `accessToken({
   * resource })`. Login requests them from the provider. In Next.js, `proxy.ts` brings a token for
   * each of them before a page is rendered.
   *
   * @default []
   */
  resources?: readonly string[] | undefined;

  /** Further parameters of the authorization request, such as `audience` or `prompt`. */
  authorizationParams?: Record<string, string> | undefined;

  /**
   * Parameters which the address of login may pass on to the provider, such as `screen_hint` or
   * `login_hint`: `/api/auth/login?screen_hint=signup`. Those of the protocol, such as `scope`, are
   * never passed on.
   *
   * @default []
   */
  loginParams?: readonly string[] | undefined;

  /** Admits only people of this organization: an `org_…` id, or a name. */
  organization?: string | undefined;

  /**
   * Sends the authorization request from server to server first (RFC 9126), so the address has none
   * of its parameters. By default only if the provider requires it; with the preset `hardened`, if
   * it offers it.
   */
  pushedAuthorizationRequests?: boolean | undefined;

  /**
   * The one algorithm with which ID tokens and logout tokens may be signed. Tokens with any other
   * are refused.
   *
   * @default "RS256"
   */
  idTokenSigningAlg?: AsymmetricAlgorithm | SymmetricAlgorithm | undefined;

  /**
   * Audiences allowed in an ID token beside this client. A token with any other audience is
   * refused.
   *
   * @default []
   */
  trustedAudiences?: readonly string[] | undefined;

  /**
   * Allowed difference between the clocks of the app and the provider, in seconds.
   *
   * @default 60
   */
  clockTolerance?: number | undefined;

  /**
   * Milliseconds after which a call to the provider is given up.
   *
   * @default 5000
   */
  httpTimeout?: number | undefined;

  /**
   * Whether sign-in requests the claims of the userinfo endpoint. `auto` requests them if the ID
   * token has none of the claims of the scope.
   *
   * @default "auto"
   */
  userinfo?: "auto" | "always" | "never" | undefined;

  /**
   * Requests the claims from the userinfo endpoint again for every request to `me`. Each one costs
   * a call to the provider. If it rejects the tokens of the user, `me` sends the known profile.
   *
   * @default false
   */
  refetchUserinfo?: boolean | undefined;

  /**
   * ID token claims excluded from `user`. By default those of the protocol, which do not describe
   * the user.
   *
   * @default ["aud", "iss", "iat", "exp", "nbf", "nonce", "azp", "auth_time", "s_hash", "at_hash",
   *   "c_hash"]
   */
  identityClaimFilter?: readonly string[] | undefined;

  /**
   * Whether logout also ends the session at the provider.
   *
   * @default true
   */
  idpLogout?: boolean | undefined;

  /**
   * Accepts logout tokens from the provider, which end sessions while their browsers are away.
   * Needs a store.
   *
   * @default false
   */
  backchannelLogout?: boolean | undefined;

  /**
   * HTTP status of a successful back-channel logout. Some providers accept only 200.
   *
   * @default 204
   */
  backchannelLogoutStatus?: 200 | 204 | undefined;

  /**
   * Ends the session named by the provider in a hidden frame of its sign-out page. For providers
   * without logout tokens: anyone who learns a session ID can end that session. Needs a store.
   *
   * @default false
   */
  frontchannelLogout?: boolean | undefined;
}

/** A connection beside that of the flat settings: a client of its own, or that of another one. */
export interface ConnectionOptions extends Partial<ProviderSettings> {
  /**
   * The id of a connection with the same client, such as `default`: then this one has no settings
   * of the client, but an organization or other rules of its own.
   */
  uses?: string | undefined;

  /**
   * `shared` has the redirect URI of `default`, for a provider at which no other can be registered.
   * Needs the response type `code`, and a provider that names itself in each response (RFC 9207).
   *
   * @default "own"
   */
  callback?: "own" | "shared" | undefined;

  /** Shorter durations for the sessions of this connection. */
  session?: ConnectionSession | undefined;
}

interface ConnectionSession {
  /** Seconds without use after which a session ends, if the app has no shorter time. */
  rollingDuration?: number | undefined;

  /** Seconds after the sign-in at which a session ends, if the app has no shorter time. */
  absoluteDuration?: number | undefined;
}
