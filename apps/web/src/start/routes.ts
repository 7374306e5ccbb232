import { type Context, Hono } from "hono";
import { compress } from "hono/compress";
import { type Auth, Forbidden, Refusal, SignInRequired, StepUpRequired } from "latchkey";
import { latchkey, type LatchkeyEnvironment } from "latchkey/hono";

import type { StaticFiles } from "../serving/built-files.ts";
import { addStaticFiles } from "../serving/static-files.ts";

export type App = Hono<LatchkeyEnvironment>;

/** The parts of the routes. */
export interface RouteOptions {
  readonly auth: Auth;
  readonly files: StaticFiles;
  /** Adds what only some builds have: the gallery, in development. */
  readonly addMore?: (app: App) => void;
}

/** What everybody may open, beside the routes of sign-in: the home page and built files. */
export function publicPaths({ paths }: StaticFiles): readonly string[] {
  return ["/", "/assets/", ...paths];
}

/** Creates the application: built files, then sign-in with its pages, then a sample of an API. */
export function createRoutes({ auth, files, addMore }: RouteOptions): App {
  const app: App = new Hono<LatchkeyEnvironment>({
    getPath: ({ url }) => pathBelow(auth.config.basePath, url),
  });

  addStaticFiles(app, files);
  // Problem pages; the others are compressed when they are rendered.
  const compressHTML = compress({ encoding: "gzip", contentTypeFilter: /^text\/html/ });
  app.use((context, next) => (namesPages(context) ? compressHTML(context, next) : next()));
  app.use(latchkey(auth));
  addMore?.(app);
  app.get("/api/sample", (context) => {
    const { user } = context.var.auth.require();
    const message = "You can read this because you are signed in.";
    return context.json({ message, sub: user.sub });
  });
  app.all("*", () => {
    throw new Refusal("not_found");
  });
  app.onError((error, context) => {
    if (!isForSignIn(error)) context.error = new Refusal("internal", { cause: error });
    return context.body(null, 500);
  });
  return app;
}

/** Whether the response may be a page. The headers of any other need not be read. */
function namesPages({ req }: Context): boolean {
  return req.header("Accept")?.includes("text/html") === true;
}

/** Whether `latchkey/hono` replaces the response to this error by its own. */
function isForSignIn(error: unknown): boolean {
  const kinds = [SignInRequired, StepUpRequired, Forbidden, Refusal];
  return kinds.some((kind) => error instanceof kind);
}

/**
 * The path as the application knows it, whether or not a proxy has removed the base path.
 *
 * @param url - of a `Request`, so it is normalized
 */
function pathBelow(basePath: string, url: string): string {
  const [, pathname = "/"] = /^\w+:\/\/[^/]*([^?#]*)/.exec(url) ?? [];
  const isBelow = basePath !== "" && `${pathname}/`.startsWith(`${basePath}/`);
  return isBelow ? pathname.slice(basePath.length) || "/" : pathname;
}
