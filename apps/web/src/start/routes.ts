import { Hono } from "hono";
import { type Auth, Forbidden, Refusal, SignInRequired, StepUpRequired } from "latchkey";

import { addAccountPages } from "../pages/account/account-route.ts";
import { appProblemResponse } from "../pages/app-problem-response.ts";
import { addDevicesPages } from "../pages/devices/devices-routes.ts";
import { addHomePage } from "../pages/home/home-route.ts";
import type { PageApp, PageDeps, PageEnv } from "../pages/page-deps.ts";
import { addSamplePage } from "../pages/sample/sample-route.ts";
import type { StaticFiles } from "../serving/built-files.ts";
import { addLiveWords } from "../serving/live-words.ts";
import { addStaticFiles } from "../serving/static-files.ts";

/** Everything that the routes are put together from. */
export interface RouteOptions extends PageDeps {
  readonly auth: Auth;
  readonly files: StaticFiles;
  /** Adds what only some builds have: the gallery, in development. */
  readonly addMore?: (app: PageApp) => void;
}

/** What everybody may open, beside the routes of sign-in: the home page and built files. */
export function publicPaths({ paths }: StaticFiles): readonly string[] {
  return ["/", "/assets/", ...paths];
}

/** The pages of the application. They stand behind sign-in: what arrives here may be answered. */
export function createRoutes(options: RouteOptions): PageApp {
  const { auth, config, files, addMore } = options;
  const app = new Hono<PageEnv>({ getPath: ({ url }) => pathBelow(config.basePath, url) });

  addLiveWords(app, options.rendering.liveWords);
  addStaticFiles(app, files);
  app.use(async (context, next) => {
    context.set("auth", auth.of(context.env.incoming));
    await next();
  });
  addHomePage(app, options);
  addMore?.(app);
  addAccountPages(app, options);
  addDevicesPages(app, options);
  addSamplePage(app, options);
  app.notFound((context) => appProblemResponse(options, context, "not-found"));
  app.onError((error, context) => {
    if (isForSignIn(error)) throw error;
    return appProblemResponse(options, context, "server-error", error);
  });
  return app;
}

/** What sign-in, in front of the routes, turns into its own response. */
function isForSignIn(error: unknown): boolean {
  const kinds = [SignInRequired, StepUpRequired, Forbidden, Refusal];
  return kinds.some((kind) => error instanceof kind);
}

/** The path as the application knows it, whether or not a proxy has removed the base path. */
function pathBelow(basePath: string, url: string): string {
  const { pathname } = new URL(url);
  const isBelow = basePath !== "" && `${pathname}/`.startsWith(`${basePath}/`);
  return isBelow ? pathname.slice(basePath.length) || "/" : pathname;
}
