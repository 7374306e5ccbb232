import type { Env, Hono } from "hono";

import type { LiveWords } from "../rendering/live-words.ts";

const forEver = "public, max-age=31536000, immutable";

/** Serves the texts of the islands; the name of a file changes with its content. */
export function addLiveWords<Environment extends Env>(
  app: Hono<Environment>,
  liveWords: LiveWords,
): void {
  app.get("/assets/:file{words-.+[.]json}", (context, next) => {
    const json = liveWords.fileAt(`/assets/${context.req.param("file")}`);
    if (json === undefined) return next();
    return context.body(json, 200, {
      "Content-Type": "application/json",
      "Cache-Control": forEver,
    });
  });
}
