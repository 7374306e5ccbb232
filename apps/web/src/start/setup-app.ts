import {
  createLiveWords,
  createVocabulary,
  languages,
  pageResponse,
  type RenderContext,
  setupPage,
  setupView,
  wantsPage,
  withoutUserInfo,
} from "../../../../packages/pages/src/web-application.ts";
import { Hono } from "hono";
import type { ConfigFault, Environment } from "latchkey";

import { readAppSettings } from "./settings/settings.ts";
import { type BuiltFiles } from "../serving/built-files.ts";
import { siteOf } from "./site.ts";
import { addStaticFiles } from "../serving/static-files.ts";

/** The first-run page: in development every address leads to it while settings are not usable. */
export function createSetupHandler(
  environment: Environment,
  faults: readonly ConfigFault[],
  built: BuiltFiles,
): (request: Request) => Response | Promise<Response> {
  const { settings } = readAppSettings(environment);
  const baseURL = withoutUserInfo(settings.baseURL).replace(/\/+$/, "");
  const routes = { login: "/api/auth/login", logout: "/api/auth/logout" };
  const site = siteOf(settings, { baseURL: usable(baseURL), basePath: "", routes });
  const vocabulary = createVocabulary({ ...settings.names, host: site.host }, languages);
  const rendering: RenderContext = {
    site,
    vocabulary,
    liveWords: createLiveWords(vocabulary, languages.keys()),
    assets: built.assets,
    paths: {
      ...routes,
      me: "/api/auth/me",
      session: "/_auth/session.json",
      events: "/_auth/session-events",
      pages: "/_auth",
    },
    isLive: false,
    now: () => Math.floor(Date.now() / 1000),
  };
  const page = setupPage(setupView(environment, faults, baseURL));
  const app = new Hono();
  addStaticFiles(app, built.files);
  app.all("*", (context) =>
    wantsPage(context)
      ? pageResponse(context, page, rendering, 503)
      : context.json({ error: "not_set_up", faults }, 503),
  );
  return app.fetch;
}

function usable(baseURL: string): string {
  return URL.canParse(baseURL) ? baseURL : "http://localhost:3000";
}
