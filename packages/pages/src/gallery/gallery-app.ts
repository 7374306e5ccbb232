import assets, { gallery as galleryFiles } from "#assets";
import type { Env, Hono } from "hono";
import type { Config } from "latchkey";

import { lookOf } from "../hosted/look.ts";
import { contentPolicy, hashesOf } from "../hosted/page-policy.ts";
import type { PagesSettings } from "../hosted/settings.ts";
import { pageHeaders } from "../pages/page-response.ts";
import { inlineScripts } from "../rendering/inline-scripts.ts";
import { enginePaths } from "../rendering/engine-paths.ts";
import { createGallery, type GalleryOptions } from "./gallery.ts";
import { withoutLinks } from "./render-state.ts";

/**
 * Adds the gallery with the look of the app, below the prefix of pages. The caller ensures that
 * this is development.
 */
export function addGalleryOf<Environment extends Env>(
  settings: PagesSettings,
  config: Config,
  app: Hono<Environment>,
): void {
  const { site, names, brand } = lookOf(settings, config);
  addGallery(app, {
    context: { site, assets, paths: enginePaths(config), isLive: config.streams > 0 },
    names,
    brand,
    prefix: `${config.pagesPrefix}/gallery`,
    files: galleryFiles,
  });
}

export function addGallery<Environment extends Env>(
  app: Hono<Environment>,
  options: GalleryOptions,
): void {
  const { prefix, context, files } = options;
  const gallery = createGallery(options);

  /** The policy of the app has no style of a theme, and allows no frames. */
  async function respond(html: string, styles: readonly string[]): Promise<Response> {
    const policy = contentPolicy({
      ...(await hashesOf({ styles, scripts: inlineScripts(context.assets) })),
      // The logo of a theme may have any address.
      pictureSources: ["https:", ...context.site.pictureSources],
      formTargets: "https: http:",
      framedBy: "'self'",
    });
    return new Response(html, {
      headers: {
        ...pageHeaders,
        "Cache-Control": "no-store",
        "Content-Security-Policy": `${policy}; frame-src 'self'`,
        "X-Frame-Options": "SAMEORIGIN",
      },
    });
  }

  const script = { headers: { "Content-Type": "text/javascript" } };
  app.get(`${prefix}/gallery.js`, () => new Response(files.script, script));
  app.get(prefix, ({ req }) => {
    const themed = gallery.withTheme(new URL(req.url).searchParams);
    return respond(themed.index("src"), themed.styles);
  });
  for (const state of gallery.states) {
    app.get(`${prefix}/${state.id}`, ({ req }) => {
      const themed = gallery.withTheme(new URL(req.url).searchParams);
      const html = themed.page(state, req.header("accept-language") ?? null);
      const isFramed = req.header("sec-fetch-dest") === "iframe";
      return respond(isFramed ? withoutLinks(html) : html, themed.styles);
    });
  }
}
