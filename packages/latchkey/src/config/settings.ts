import type { AsymmetricAlgorithm, SymmetricAlgorithm } from "./signing-algorithms.ts";

/**
 * Every setting of the sign-in, as an app gives it. The comment of an option is the only place that
 * describes it: editors show it, and the page of all settings is made from it. `settingsSchema`
 * checks the values.
 */
export interface Settings {
  /**
   * Encrypts the cookies. Of several secrets the first one encrypts and all of them decrypt, so
   * that a secret can be replaced without signing anybody out. At least 8 characters; use 32 random
   * bytes.
   */
  secret: string | readonly string[];

  /**
   * Address at which people reach the app. Its path, if any, is the folder that the app lives in.
   */
  baseURL: string;

  /**
   * Issuer identifier of the provider, exactly as its metadata spells it. Must be https, except on
   * this machine.
   */
  issuerBaseURL: string;

  /** Client ID that the provider gave this app. */
  clientID: string;

  /**
   * Client secret that the provider gave this app. Required unless a signing key takes its place.
   */
  clientSecret?: string | undefined;

  /**
   * How the app authenticates itself to the provider. By default `client_secret_basic`, or
   * `private_key_jwt` where there is a signing key.
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
   * How the provider returns its response: in the address, or as a form that the browser posts,
   * which needs an https base URL. By default `query` for the type `code` and `form_post` for the
   * others.
   */
  responseMode?: "query" | "form_post" | undefined;

  /**
   * Scopes to ask for, separated by spaces. Must contain `openid`; `offline_access` asks for a
   * refresh token.
   *
   * @default "openid profile email"
   */
  scope?: string | undefined;

  /**
   * Largest number of seconds since the person last authenticated at the provider; 0 asks every
   * time. Without it the provider decides.
   */
  maxAge?: number | undefined;

  /** Further parameters of the authorization request, such as `audience` or `prompt`. */
  authorizationParams?: Record<string, string> | undefined;

  /** Admits only people of this organization: an `org_…` id, or a name. */
  organization?: string | undefined;

  /**
   * Sends the authorization request from server to server first (RFC 9126), so that no parameter of
   * it stands in the address.
   *
   * @default false
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
   * Audiences that an ID token may name beside this client. A token that names any other is
   * refused.
   *
   * @default []
   */
  trustedAudiences?: readonly string[] | undefined;

  /**
   * Difference in seconds that is allowed between the clocks of the app and the provider.
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
   * Whether sign-in asks the userinfo endpoint. `auto` asks where the ID token has none of the
   * claims that the scope asked for.
   *
   * @default "auto"
   */
  userinfo?: "auto" | "always" | "never" | undefined;

  /**
   * Asks the userinfo endpoint again on every request for `me`. Costs a call to the provider each
   * time.
   *
   * @default false
   */
  refetchUserinfo?: boolean | undefined;

  /**
   * ID token claims that do not become part of `user`. By default those of the protocol, which say
   * nothing about the person.
   *
   * @default ["aud", "iss", "iat", "exp", "nbf", "nonce", "azp", "auth_time", "s_hash", "at_hash", "c_hash"]
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
   * Ends the session that the provider names in a hidden frame of its sign-out page. For providers
   * that send no logout tokens: whoever learns a session ID can end that session. Needs a store.
   *
   * @default false
   */
  frontchannelLogout?: boolean | undefined;

  /**
   * How many browsers may be told of the end of their session within a second, over a connection
   * that stays open; the others ask every minute. Needs a store, and a server that calls
   * `auth.endStreams()` before it closes. The web application has 1000 by default.
   *
   * @default 0
   */
  streams?: number | undefined;

  /**
   * Header in which the proxy before the app names the client, e.g. `X-Real-IP`; of several
   * addresses the last one counts. Where it is set, events of the log and lines of the audit tell
   * that address and the `User-Agent`. Set it only where every request passes such a proxy.
   */
  clientAddressHeader?: string | undefined;

  /**
   * How many processes serve the app side by side on different machines. More than one need a store
   * that all of them reach.
   */
  instances?: number | undefined;

  /**
   * Whether the app serves real people: then nothing that only operators should know stands on a
   * page, and the log is JSON. By default true unless the base URL is on this machine; the variable
   * `NODE_ENV` decides where it is `production` or `development`.
   */
  production?: boolean | undefined;

  /** The session and its cookie. */
  session?: SessionSettings | undefined;

  /** The cookie of a login that is under way at the provider. */
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
   * Keeps the fragment of a deep link (`/reports#march`) where the provider asks something: browsers
   * that run scripts pass a page of one moment on the way to login.
   *
   * @default false
   */
  keepFragment?: boolean | undefined;

  /**
   * Paths that need no sign-in: `/about` is that page alone, `/assets/` itself and all below it.
   *
   * @default []
   */
  publicPaths?: readonly string[] | undefined;
}

export interface SessionSettings {
  /**
   * Name of the session cookie. The prefixes `__Host-` and `__Secure-` make browsers enforce its
   * attributes; both need an https base URL, and `__Host-` the path `/` and no domain.
   *
   * @default "appSession"
   */
  name?: string | undefined;

  /**
   * Keeps sessions in the store; the cookie then holds an id only. Needs a store.
   *
   * @default false
   */
  stateful?: boolean | undefined;

  /**
   * Whether each use of a session prolongs it.
   *
   * @default true
   */
  rolling?: boolean | undefined;

  /**
   * Seconds without use after which a session ends. By default 86400, a day, while sessions are
   * rolling.
   */
  rollingDuration?: number | false | undefined;

  /**
   * Seconds after the sign-in at which a session ends however often it is used; `false` for never.
   *
   * @default 604800
   */
  absoluteDuration?: number | false | undefined;

  /**
   * Seconds that must have passed since a session was last renewed before it is renewed again; 0
   * renews on each read.
   *
   * @default 0
   */
  renewAfter?: number | undefined;

  /**
   * What becomes of sessions in cookies while the store that knows which were ended does not
   * answer: `"refuse"` answers 503; `"serve"` lets them in for five minutes, also where they were
   * ended elsewhere, and raises an alarm each minute.
   *
   * @default "refuse"
   */
  whenStoreIsDown?: "refuse" | "serve" | undefined;

  /**
   * Keeps the ID token in the session, as a hint for the provider at logout.
   *
   * @default true
   */
  storeIDToken?: boolean | undefined;

  /**
   * Largest number of bytes that the cookies of a session may take in one request. A larger session
   * is refused, at sign-in and when the app updates it.
   *
   * @default 12288
   */
  maxCookieBytes?: number | undefined;

  /**
   * Refuses session cookies that name no issuer and client, as nextjs-auth0 writes them. Turn it on
   * when the migration is over: people who still have such a cookie sign in again.
   *
   * @default false
   */
  requireIssuer?: boolean | undefined;

  /**
   * Keeps the network that a person signed in from (`203.0.113.…`, `2001:db8:1:…`, never the whole
   * address), and shows it in their list of devices. `socket` for a server on `node:http` that browsers reach
   * directly, or the name of the header in which your proxy puts the address, such as
   * `x-forwarded-for`, of which the last entry counts: name none that clients can send themselves.
   * Needs a store. By default nothing is kept, and no header is read.
   */
  networkFrom?: string | undefined;

  /** Attributes of the session cookie. */
  cookie?: SessionCookieSettings | undefined;
}

interface CookieSettings {
  /** Domain of the cookie. By default the host of the app alone. */
  domain?: string | undefined;

  /**
   * Path of the cookie.
   *
   * @default "/"
   */
  path?: string | undefined;

  /** `Secure` attribute of the cookie. By default true for an https base URL and false for http. */
  secure?: boolean | undefined;
}

export interface SessionCookieSettings extends CookieSettings {
  /**
   * `SameSite` attribute of the cookie. `none` lets other sites embed the app, and needs https.
   *
   * @default "lax"
   */
  sameSite?: "lax" | "strict" | "none" | undefined;

  /**
   * Whether the cookie ends with the browser, however long the session would last.
   *
   * @default false
   */
  transient?: boolean | undefined;
}

export interface TransactionCookieSettings extends CookieSettings {
  /**
   * Name of the transaction cookie, which may have the same prefixes as the name of the session
   * cookie.
   *
   * @default "auth_verification"
   */
  name?: string | undefined;

  /**
   * `SameSite` attribute of the cookie. With `form_post` it is always `none`, since the provider's
   * form is a cross-site request.
   *
   * @default "lax"
   */
  sameSite?: "lax" | "strict" | "none" | undefined;
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
   * Where logout lands: a path of the app or an absolute address, which the provider must know. By
   * default the signed-out page.
   */
  postLogoutRedirect?: string | undefined;
}
