import type { Config } from "latchkey";

import type { Site } from "../components/page-frame.tsx";
import type { AppSettings } from "./app-settings.ts";

/** What the pages know of the app, from its own settings and those of the engine. */
export function siteOf(
  { names, production, pictureSources }: AppSettings,
  {
    baseURL,
    basePath,
    routes,
  }: Pick<Config, "baseURL" | "basePath"> & {
    readonly routes: Pick<Config["routes"], "login" | "logout">;
  },
): Site {
  return {
    ...names,
    baseURL,
    host: new URL(baseURL).host,
    root: basePath,
    loginURL: baseURL + routes.login,
    logoutURL: baseURL + routes.logout,
    pictures: pictureSources.length > 0,
    development: !production,
  };
}
