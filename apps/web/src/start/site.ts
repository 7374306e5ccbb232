import type { Site } from "@latchkey/pages/web-application";
import type { Config } from "latchkey";
import type { Paths } from "latchkey/react";

import type { AppSettings } from "./settings/settings.ts";

/** What the pages know of the app, from its own settings and those of the engine. */
export function siteOf(
  { names, brand, production, pictureSources }: AppSettings,
  {
    baseURL,
    basePath,
    routes,
  }: Pick<Config, "baseURL" | "basePath"> & {
    readonly routes: Pick<Config["routes"], "login" | "logout">;
  },
): Site {
  const { provider: _words, ...others } = names;
  return {
    ...others,
    logo: brand.logo,
    baseURL,
    host: new URL(baseURL).host,
    root: basePath,
    homeURL: `${baseURL}/`,
    links: [{ href: `${baseURL}/sample`, label: { message: "nav.sample" } }],
    loginURL: baseURL + routes.login,
    logoutURL: baseURL + routes.logout,
    pictureSources: [new URL(baseURL).origin, ...pictureSources],
    development: !production,
  };
}

/** The paths of the engine for scripts in the browser, on our own origin. */
export function pathsOf({ basePath, routes, pagesPrefix }: Config): Paths {
  return {
    login: basePath + routes.login,
    logout: basePath + routes.logout,
    me: basePath + routes.me,
    session: `${basePath}${pagesPrefix}/session.json`,
    events: `${basePath}${pagesPrefix}/session-events`,
    pages: basePath + pagesPrefix,
  };
}
