import type { SessionCookieSettings } from "./cookie-settings.ts";

export interface SessionSettings {
  /**
   * Name of the session cookie. The prefixes `__Host-` and `__Secure-` make browsers enforce its
   * attributes; both need an https base URL, and `__Host-` the path `/` and no domain.
   *
   * @default "appSession"
   */
  name?: string | undefined;

  /**
   * Where sessions live. `true` keeps all of them in the store, and the cookie has only an id;
   * `false` keeps them in the cookie. By default, with a store, it has the sessions with a refresh
   * token, so several instances use each token once.
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
   * Seconds after a renewal before a session is renewed again; 0 renews on each read. Leave it: a
   * renewal is a cookie of 60 bytes, and more seconds end a session earlier by as much.
   *
   * @default 0
   */
  renewAfter?: number | undefined;

  /**
   * Keeps the ID token in the session, as a hint for the provider at logout.
   *
   * @default true
   */
  storeIDToken?: boolean | undefined;

  /**
   * Largest size of the session cookies in one request, in bytes. A larger session is refused.
   *
   * @default 12288
   */
  maxCookieBytes?: number | undefined;

  /**
   * Refuses session cookies without issuer and client, as nextjs-auth0 writes them. Turn it on
   * after the migration: users with such a cookie sign in again.
   *
   * @default false
   */
  requireIssuer?: boolean | undefined;

  /**
   * Keeps the network of a sign-in (`203.0.113.…`, `2001:db8:1:…`, never the whole address) for the
   * list of devices. `socket` for a server on `node:http` without a proxy, or the name of the
   * header with the address from your proxy, such as `x-forwarded-for`, of which the last entry
   * counts. Never use a header that clients can send themselves. Needs a store. By default nothing
   * is kept, and no header is read.
   */
  networkFrom?: string | undefined;

  /**
   * Binds each session to the device of its sign-in, in browsers that hold keys for it (Chrome and
   * Edge on Windows and macOS); needs https. `enforce` refuses a copied cookie after ten minutes
   * at most, `observe` warns only.
   *
   * @default "off"
   */
  deviceBound?: "off" | "observe" | "enforce" | undefined;

  /** Attributes of the session cookie. */
  cookie?: SessionCookieSettings | undefined;
}
