import { defaultID } from "./constants.ts";
import type { ResolvedSettings } from "./settings-schema.ts";

/** Paths of the app, the base path not included. */
export interface Routes {
  readonly prefix: string;
  readonly login: string;
  readonly callback: string;
  readonly logout: string;
  readonly me: string;
  readonly backchannelLogout: string;
  readonly frontchannelLogout: string;
  /** Registers keys of devices, if sessions are bound to them. */
  readonly device: string;
  /** Our own page after logout. */
  readonly signedOut: string;
  /** A path of the app, or an absolute address. */
  readonly postLogoutRedirect: string;
}

/** The configured paths, and default paths below the prefix for the rest. */
export function routesOf({ routes, pagesPrefix }: ResolvedSettings): Routes {
  const { prefix } = routes;
  const signedOut = `${pagesPrefix}/signed-out`;
  return {
    prefix,
    login: routes.login ?? `${prefix}/login`,
    callback: routes.callback ?? `${prefix}/callback`,
    logout: `${prefix}/logout`,
    me: `${prefix}/me`,
    backchannelLogout: `${prefix}/backchannel-logout`,
    frontchannelLogout: `${prefix}/frontchannel-logout`,
    device: `${prefix}/device`,
    signedOut,
    postLogoutRedirect: routes.postLogoutRedirect ?? signedOut,
  };
}

/** Returns the paths that no setting of a route moves; `host/route-table.ts` has their routes. */
export function fixedPaths(settings: ResolvedSettings): readonly string[] {
  const {
    prefix,
    login: _set,
    callback: _too,
    postLogoutRedirect: _any,
    ...fixed
  } = routesOf(settings);
  const { pagesPrefix } = settings;
  const ofPages = ["session.json", "session-events", "sign-in", "form", "brand.css"];
  return [
    ...Object.values(fixed),
    ...["session.json", "refused"].map((name) => `${prefix}/${name}`),
    ...ofPages.map((name) => `${pagesPrefix}/${name}`),
  ];
}

/**
 * Returns the path of the redirect URI of a client. That of `default` may have any address; the
 * others keep theirs.
 */
export function callbackPath({ prefix, callback }: Routes, id: string): string {
  return id === defaultID ? callback : pathOf(`${prefix}/callback`, id);
}

/** Returns the address of a route for one connection: that of `default` has no id behind it. */
export function pathOf(path: string, id: string): string {
  return id === defaultID ? path : `${path}/${id}`;
}
