import type { TransactionCookieSettings } from "./cookie-settings.ts";
import type { SessionSettings } from "./session-settings.ts";
import type { AsymmetricAlgorithm, SymmetricAlgorithm } from "./signing-algorithms.ts";

/**
 * Every setting of the sign-in. The comment of an option is its only description: editors show it,
 * and the page of all settings is generated from it. `settingsSchema` checks the values.
 */
export interface Settings {
  /**
   * `hardened` has stricter defaults for other settings: `latchkey explain hardened` lists them. A
   * weaker value of your own counts, and a warning at the start names it.
   */
  preset?: "hardened" | undefined;

  /**
   * Encrypts the cookies. The first of several secrets encrypts, and all of them decrypt, so a
   * secret can be replaced while users stay signed in. At least 8 characters; use 32 random bytes.
   */
  secret: string | readonly string[];

  /** Public address of the app. Its path, if any, is the folder of the app. */
  baseURL: string;

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

  /**
   * How many browsers are notified of the end of their session within a second, over an open
   * connection; the others poll every minute. Needs a store, and a server that calls
   * `auth.endStreams()` before it closes. The web application has 1000 by default.
   *
   * @default 0
   */
  streams?: number | undefined;

  /**
   * Header with the client's address, set by the proxy before the app, e.g. `X-Real-IP`; the last
   * of several addresses counts. With it, log events and audit lines have the address and the
   * `User-Agent`. Set it only if every request passes such a proxy.
   */
  clientAddressHeader?: string | undefined;

  /**
   * How many processes serve the app on different machines. More than one need a store shared by
   * all of them.
   */
  instances?: number | undefined;

  /**
   * Whether the app serves real users: pages then hide details for operators, and the log is JSON.
   * By default true unless the base URL is on this machine; `NODE_ENV` decides if it is
   * `production` or `development`.
   */
  production?: boolean | undefined;

  /**
   * Keeps the recent sign-ins and sign-outs of each user for 30 days, for `activity()`. They take
   * 0.6 to 3.7 kB per user in the store. Needs a store. The web application turns it on.
   *
   * @default false
   */
  activity?: boolean | undefined;

  /** Name of the app, for pages. By default the host of its address. */
  appName?: string | undefined;

  /** Colors of pages. */
  color?: ColorSettings | undefined;

  /** The session and its cookie. */
  session?: SessionSettings | undefined;

  /** The cookie of a pending login. */
  transactionCookie?: TransactionCookieSettings | undefined;

  /** Paths of the auth routes, below the base URL. */
  routes?: RouteSettings | undefined;

  /**
   * Path under which the pages for people and the JSON for scripts are served.
   *
   * @default "/_auth"
   */
  pagesPrefix?: string | undefined;

  /**
   * Paths without sign-in: `/about` is only that page, `/assets/` is the folder and everything
   * below it.
   *
   * @default []
   */
  publicPaths?: readonly string[] | undefined;

  /**
   * Refuses changes (POST, PUT, PATCH, DELETE) that pages of other origins send with the session of
   * their visitor, also those of sister hosts. Leave it off if such pages may send them.
   *
   * @default false
   */
  checkOrigin?: boolean | undefined;

  /**
   * Origins of other apps to which a sign-in may return, such as `https://wiki.example.com`. By
   * default it returns to the origin of the base URL only.
   *
   * @default []
   */
  returnToOrigins?: readonly string[] | undefined;
}

export interface ColorSettings {
  /**
   * Color of buttons and links: `#0b6e5f`, or two for light and dark: `#0b6e5f #4cc9ae`.
   *
   * @default "#0b6e5f #4cc9ae"
   */
  accent?: string | undefined;
}

export interface RouteSettings {
  /**
   * Path under which the auth routes are served.
   *
   * @default "/api/auth"
   */
  prefix?: string | undefined;

  /** Path of login. By default `login` under the prefix. */
  login?: string | undefined;

  /** Path of the callback, which the provider must know. By default `callback` under the prefix. */
  callback?: string | undefined;

  /**
   * Target of logout: a path of the app, or an absolute address registered at the provider. By
   * default the signed-out page.
   */
  postLogoutRedirect?: string | undefined;
}
