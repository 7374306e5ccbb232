import type { Site } from "../../../../packages/pages/src/web-application.ts";
import type { Config } from "latchkey";

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
