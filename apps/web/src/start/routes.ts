import { Hono } from "hono";
import { withHeaders } from "latchkey";

import { addAccountPage } from "../pages/account/account-route.ts";
import { appProblemResponse } from "../pages/app-problem-response.ts";
import { addDevicesPages } from "../pages/devices/devices-routes.ts";
import { addHomePage } from "../pages/home/home-route.ts";
import type { PageDeps } from "../pages/page-deps.ts";
import { protect } from "../pages/protected-page.ts";
import { addSamplePage } from "../pages/sample/sample-route.ts";
import { addSignedOutPage } from "../pages/signed-out/signed-out-route.ts";
import type { StaticFiles } from "../serving/built-files.ts";
import type { DataRoutes } from "../serving/direct-answers.ts";
import { addStaticFiles } from "../serving/static-files.ts";

/** Everything that the routes are put together from. */
export interface RouteOptions extends PageDeps {
  readonly files: StaticFiles;
  /** Adds what only some builds have: the gallery, in development. */
  readonly addMore?: (app: Hono) => void;
}

/** Responds to one request. */
export type Handler = (request: Request) => Promise<Response>;

/** The sample API. */
export const dataRoutes: DataRoutes = new Map([
  [
    "/api/sample",
    ({ user }) => ({
      message: "You can read this because you are signed in.",
      sub: user.sub,
    }),
  ],
]);

/** The application: the engine's routes first, then its own pages. */
export function createHandler(options: RouteOptions): Handler {
  const { auth } = options;
  const app = createRoutes(options);
  return async (request) => (await auth.handle(request)) ?? app.fetch(request);
}

function createRoutes(options: RouteOptions): Hono {
  const { auth, files, addMore } = options;
  const { basePath } = auth.config;
  const app = new Hono({ getPath: ({ url }) => pathBelow(basePath, url) });

  addStaticFiles(app, files);
  addHomePage(app, options);
  addSignedOutPage(app, options);
  addMore?.(app);
  addAccountPage(app, options);
  addDevicesPages(app, options);
  addSamplePage(app, options);
  for (const [path, make] of dataRoutes) {
    app.get(
      path,
      protect(options, (_request, session) => Response.json(make(session))),
    );
  }
  app.notFound(async ({ req: { raw } }) => {
    const guarded = await auth.guard(raw);
    if (!guarded.passed) return guarded.response;
    const response = appProblemResponse(options, raw, "not-found");
    return withHeaders(response, guarded.visit?.headers ?? []);
  });
  app.onError((error, { req: { raw } }) => appProblemResponse(options, raw, "server-error", error));
  return app;
}

/** The path as the application knows it, whether or not a proxy has removed the base path. */
function pathBelow(basePath: string, url: string): string {
  const { pathname } = new URL(url);
  const isBelow = basePath !== "" && `${pathname}/`.startsWith(`${basePath}/`);
  return isBelow ? pathname.slice(basePath.length) || "/" : pathname;
}
