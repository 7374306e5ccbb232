import { Hono } from "hono";
import { type ConfigFault, type Environment, optionsFromEnvironment } from "latchkey";

import type { StaticFiles } from "../serving/built-files.ts";
import { addStaticFiles } from "../serving/static-files.ts";
import { wantsPage } from "../serving/wants-page.ts";
import { createOwnPages } from "./own-pages.ts";
import { readAppSettings } from "./settings/settings.ts";

/** The first-run page: in development every address leads to it while settings are not usable. */
export function createSetupHandler(
  environment: Environment,
  faults: readonly ConfigFault[],
  files: StaticFiles,
): (request: Request) => Response | Promise<Response> {
  const { settings } = readAppSettings(environment);
  const { option } = createOwnPages(settings.look);
  const { options, storeURL } = optionsFromEnvironment(environment);
  const written = { ...environment, ...options, baseURL: settings.baseURL, store: storeURL };
  const app = new Hono();
  addStaticFiles(app, files);
  app.all("*", async (context) => {
    if (!wantsPage(context)) return context.json({ error: "not_set_up", faults }, 503);
    const page = await option.setup(faults, written, context.req.raw);
    const { html, policy } = typeof page === "string" ? { html: page, policy: "" } : page;
    return context.html(html, 503, {
      "Cache-Control": "no-store",
      "Content-Security-Policy": policy,
      Vary: "Accept-Language, Accept-Encoding",
    });
  });
  return app.fetch;
}
