import type { ConnectionOptions, ProviderSettings } from "./connection-options.ts";
import type { TransactionCookieSettings } from "./cookie-settings.ts";
import type { SessionSettings } from "./session-settings.ts";

/**
 * Every setting of the sign-in. The comment of an option is its only description: editors show it,
 * and the page of all settings is generated from it. `settingsSchema` checks the values.
 */
export interface Settings extends ProviderSettings {
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

  /**
   * Public address of the app. Its path, if any, is the folder of the app. Of several, with spaces
   * between them in the variable, the first is the primary one; the others may have a star for one
   * label: `https://*.app.example.com`.
   */
  baseURL: string | readonly string[];

  /**
   * Header in which the proxy before the app passes on the host that the browser has opened, e.g.
   * `X-Forwarded-Host`. Counts only with several base URLs. Without it `Host` counts, which most
   * proxies can keep.
   */
  hostHeader?: string | undefined;

  /**
   * Further connections, by their ids: each is another provider, or another organization at one.
   * The settings beside it are the connection `default`. In the environment, `LATCHKEY_CONNECTIONS`
   * has the ids.
   */
  connections?: Readonly<Record<string, ConnectionOptions>> | undefined;

  /**
   * How the app knows its users. `issuer+sub` states that it knows them by `identity.id`, and not
   * by `sub` alone, which each provider may choose freely. Required with a second client.
   */
  identity?: "issuer+sub" | undefined;

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
