import { serveStatic } from "@hono/node-server/serve-static";
import type { Env, Hono, MiddlewareHandler } from "hono";
import { etag } from "hono/etag";

import type { StaticFiles } from "./built-files.ts";

const secondsPerDay = 86_400;

/** Serves the built files in the best available coding, and 304 to a browser with the same file. */
export function addStaticFiles<Environment extends Env>(
  app: Hono<Environment>,
  { folder, paths }: StaticFiles,
): void {
  const files = serveStatic({ root: folder, precompressed: true });
  const forADay = cacheWith(`public, max-age=${secondsPerDay}`);
  // The name of an asset changes with its content.
  const forEver = cacheWith(`public, max-age=${secondsPerDay * 365}, immutable`);
  app.get("/assets/:file{.+[.]js}", forEver, etag(), files);
  for (const path of paths) app.get(path, forADay, etag(), files);
}

function cacheWith(cacheControl: string): MiddlewareHandler {
  return async (context, next) => {
    await next();
    if (!context.res.headers.has("ETag")) return;
    context.header("Cache-Control", cacheControl);
    context.header("Vary", "Accept-Encoding");
  };
}
