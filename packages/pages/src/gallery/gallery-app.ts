import { contentPolicy } from "../hosted/page-policy.ts";
import type { PageApp } from "../pages/page-deps.ts";
import { htmlResponse } from "../pages/page-response.ts";
import { inlineScripts } from "../rendering/inline-scripts.ts";
import { createGallery, type GalleryOptions } from "./gallery.ts";
import { withoutLinks } from "./render-state.ts";

export type { GalleryOptions };

/** Adds the gallery to the app. The caller ensures that this is development. */
export function addGallery(app: PageApp, options: GalleryOptions): void {
  const { prefix, context, files } = options;
  const gallery = createGallery(options);

  /** The policy of the app has no style of a theme, and allows no frames. */
  async function respond(html: string, styles: readonly string[]): Promise<Response> {
    const response = htmlResponse(html);
    const policy = await contentPolicy({
      styles,
      scripts: inlineScripts(context.assets),
      pictureSources: context.site.pictureSources,
      formTargets: "https: http:",
      framedBy: "'self'",
    });
    response.headers.set("Content-Security-Policy", `${policy}; frame-src 'self'`);
    response.headers.set("X-Frame-Options", "SAMEORIGIN");
    return response;
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
