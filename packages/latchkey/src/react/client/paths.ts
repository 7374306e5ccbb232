/**
 * The addresses of the server: paths on the origin of the page, including the base path of the app,
 * or addresses of another origin of the same site, which must allow this one (CORS with
 * credentials).
 */
export interface Paths {
  /** Starts sign-in. Default: `/api/auth/login`. */
  readonly login: string;
  /** Signs out, by POST. Default: `/api/auth/logout`. */
  readonly logout: string;
  /** Returns the claims of the user, and renews the session. Default: `/api/auth/me`. */
  readonly me: string;
  /**
   * Returns the state and the times of the session, and renews nothing. Default:
   * `/_auth/session.json`.
   */
  readonly session: string;
  /**
   * Streams the end of the session, if the server has streams. Default: `/_auth/session-events`.
   */
  readonly events: string;
  /** Prefix of the server's own pages. Default: `/_auth`. */
  readonly pages: string;
}

/** For `signIn` and `SignInLink`. */
export interface SignInOptions {
  /**
   * The destination after sign-in: a path on this origin. Default: the current page, with query and
   * fragment.
   */
  readonly returnTo?: string | undefined;
  /**
   * The id of the connection, if the app has several. Default: the user chooses, unless only one is
   * possible.
   */
  readonly connection?: string | undefined;
  /** The user chooses an account at the provider, even if signed in there. Default: false. */
  readonly chooseAccount?: boolean | undefined;
  /**
   * For a shared computer: the session ends with the browser and after 15 minutes without use, and
   * signing out also ends the session at the provider. Default: false.
   */
  readonly shared?: boolean | undefined;
  /**
   * Parameters for the provider, such as `screen_hint`. The server passes on those in its setting
   * `loginParams`, and ignores others.
   */
  readonly params?: Readonly<Record<string, string>> | undefined;
}

/** Returns the default paths below `basePath`, except for the replaced ones. */
export function resolvePaths(basePath: string, replaced: Partial<Paths> | undefined): Paths {
  const auth = `${basePath}/api/auth`;
  const pages = replaced?.pages ?? `${basePath}/_auth`;
  return {
    login: `${auth}/login`,
    logout: `${auth}/logout`,
    me: `${auth}/me`,
    session: `${pages}/session.json`,
    events: `${pages}/session-events`,
    ...replaced,
    pages,
  };
}

/** Returns the address of sign-in. Without `returnTo`, the user comes back to the home page. */
export function loginURL(
  { login }: Paths,
  { returnTo, connection, chooseAccount, shared, params }: SignInOptions,
): string {
  // Safari before 17 has no `size` in URLSearchParams.
  const query = new URLSearchParams({
    ...params,
    ...(returnTo && { returnTo: atThisOrigin(login, returnTo) }),
    ...(chooseAccount && { prompt: "select_account" }),
    ...(shared && { shared: "1" }),
  }).toString();
  return login + (connection ? `/${connection}` : "") + (query && `?${query}`);
}

/** A server of another origin would take a path for one of its own. */
function atThisOrigin(login: string, returnTo: string): string {
  return returnTo.startsWith("/") && isElsewhere(login) ? location.origin + returnTo : returnTo;
}

/** Whether an address is of another origin than the page; false while a server renders it. */
export function isElsewhere(address: string): boolean {
  const { location: page } = globalThis as { readonly location?: Location };
  return /^https?:/.test(address) && page !== undefined && page.origin !== new URL(address).origin;
}

/** A token that another library has left in the address: no server may log it. */
const secret = /([?#&])(?:(?:access|id|refresh)_token=[^&#]*&?)+/gi;

/** Returns path, query and fragment of the current page; `undefined` on the page after logout. */
export function currentReturnTo(paths: Paths): string | undefined {
  const { pathname, search, hash } = location;
  if (pathname === `${paths.pages}/signed-out`) return undefined;
  return pathname + (search + hash).replaceAll(secret, "$1");
}
