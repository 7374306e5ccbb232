/**
 * Where the server answers: paths on the origin of the page, which carry the base path of the app
 * where it has one.
 */
export interface Paths {
  /** Starts sign-in. Default: `/api/auth/login`. */
  readonly login: string;
  /** Signs out, by POST. Default: `/api/auth/logout`. */
  readonly logout: string;
  /** Returns the claims of the person, and renews the session. Default: `/api/auth/me`. */
  readonly me: string;
  /**
   * Returns the state and the times of the session, and renews nothing. Default:
   * `/_auth/session.json`.
   */
  readonly session: string;
  /**
   * Tells the end of the session as it comes, where the server has streams. Default:
   * `/_auth/session-events`.
   */
  readonly events: string;
  /**
   * Prefix of the server's own pages, which are no destination after sign-in. Default: `/_auth`.
   */
  readonly pages: string;
}

/** What a sign-in can be told. */
export interface SignInOptions {
  /**
   * Where to go after signing in: a path on this origin. Default: the current page, query and
   * fragment included.
   */
  readonly returnTo?: string | undefined;
  /**
   * Lets the person choose an account at the provider, even when they are signed in there. Default:
   * false.
   */
  readonly chooseAccount?: boolean | undefined;
}

/** The default paths below `basePath`, some of them replaced. */
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

/** The address that starts sign-in; without `returnTo` it leads to the home page afterwards. */
export function loginURL(paths: Paths, { returnTo, chooseAccount }: SignInOptions): string {
  // Safari before 17 has no `size` in URLSearchParams.
  const query = new URLSearchParams({
    ...(returnTo && { returnTo }),
    ...(chooseAccount && { prompt: "select_account" }),
  }).toString();
  return query ? `${paths.login}?${query}` : paths.login;
}

/**
 * Path, query and fragment of the current page; `undefined` where it is no destination after
 * sign-in.
 */
export function currentReturnTo(paths: Paths): string | undefined {
  const { pathname, search, hash } = location;
  return pathname.startsWith(`${paths.pages}/`) ? undefined : pathname + search + hash;
}
