/** Where the server answers. All are paths on this origin. */
export interface Paths {
  readonly login: string;
  readonly logout: string;
  readonly me: string;
  /** The peek, which never renews. */
  readonly session: string;
  /** The prefix of the pages that are no destination after sign-in, such as "You're signed out". */
  readonly pages: string;
}

/** The default paths under `basePath` (default: none), some replaced. */
export function resolvePaths(basePath: string, some: Partial<Paths> | undefined): Paths {
  const auth = `${basePath}/api/auth`;
  const pages = some?.pages ?? `${basePath}/_auth`;
  return {
    login: `${auth}/login`,
    logout: `${auth}/logout`,
    me: `${auth}/me`,
    session: `${pages}/session.json`,
    ...some,
    pages,
  };
}

/** The address that starts sign-in and comes back to `returnTo`; with `choose`, the provider asks which account. */
export function loginURL(paths: Paths, returnTo?: string, choose?: boolean): string {
  const query = new URLSearchParams();
  if (returnTo) query.set("returnTo", returnTo);
  if (choose) query.set("prompt", "select_account");
  return query.size ? `${paths.login}?${query}` : paths.login;
}

/** The page the person is on, with query and fragment; `undefined` where that is no place to come back to. */
export function here(paths: Paths): string | undefined {
  const { pathname, search, hash } = location;
  return pathname.startsWith(`${paths.pages}/`) ? undefined : pathname + search + hash;
}
