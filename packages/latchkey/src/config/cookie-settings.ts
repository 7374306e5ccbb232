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
