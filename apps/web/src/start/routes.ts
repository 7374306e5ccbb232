import {
  addAccountPages,
  addDevicesPages,
  addHomePage,
  addLiveWords,
  addSamplePage,
  addStepUpPage,
  appProblemResponse,
  type PageApp,
  type PageDeps,
  wantsPage,
} from "../../../../packages/pages/src/web-application.ts";
import { Hono } from "hono";
import { compress } from "hono/compress";
import { type Auth, Forbidden, Refusal, SignInRequired, StepUpRequired } from "latchkey";
import { latchkey, type LatchkeyEnvironment } from "latchkey/hono";

import type { StaticFiles } from "../serving/built-files.ts";
import { addStaticFiles } from "../serving/static-files.ts";

/** The parts of the routes. */
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

/** Creates the application: built files, sign-in, and the pages behind it. */
export function createRoutes(options: RouteOptions): PageApp {
  const { auth, config, files, addMore } = options;
  const app = new Hono<LatchkeyEnvironment>({
    getPath: ({ url }) => pathBelow(config.basePath, url),
  });

  addLiveWords(app, options.rendering.liveWords);
  addStaticFiles(app, files);
  // The pages of sign-in; those of the app are compressed when they are rendered.
  const compressHTML = compress({ encoding: "gzip", contentTypeFilter: /^text\/html/ });
  app.use((context, next) => (wantsPage(context) ? compressHTML(context, next) : next()));
  app.use(latchkey(auth));
  addHomePage(app, options);
  addMore?.(app);
  addAccountPages(app, options);
  addDevicesPages(app, options);
  addSamplePage(app, options);
  addStepUpPage(app, options, options.config.pagesPrefix);
  app.notFound((context) => appProblemResponse(options, context, "not-found"));
  app.onError((error, context) =>
    isForSignIn(error)
      ? context.body(null, 500)
      : appProblemResponse(options, context, "server-error", error),
  );
  return app;
}

/** Whether `latchkey/hono` replaces the response to this error by its own. */
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
