import type { Config } from "latchkey";
import type { Paths } from "latchkey/react";

/** The paths of the engine for scripts in the browser, on the origin of the app. */
export function enginePaths({
  basePath,
  routes,
  pagesPrefix,
}: Pick<Config, "basePath" | "pagesPrefix"> & {
  readonly routes: Pick<Config["routes"], "login" | "logout" | "me">;
}): Paths {
  return {
    login: basePath + routes.login,
    logout: basePath + routes.logout,
    me: basePath + routes.me,
    session: `${basePath}${pagesPrefix}/session.json`,
    events: `${basePath}${pagesPrefix}/session-events`,
    pages: basePath + pagesPrefix,
  };
}
