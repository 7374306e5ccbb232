import { languages } from "../messages/languages.ts";
import type { PageApp } from "../pages/page-deps.ts";
import { htmlResponse } from "../pages/page-response.ts";
import type { RenderContext } from "../rendering/render-context.ts";
import { renderPage } from "../rendering/render.tsx";
import { galleryIndex } from "./gallery-index.tsx";
import type { GalleryState } from "./gallery-state.ts";
import { galleryNow } from "./people.ts";
import { galleryStates } from "./states.ts";

/**
 * Adds the gallery to the app. Development only: the caller sees to that.
 *
 * @param prefix where it lives, e.g. `/_auth/gallery`
 * @param code what brings its pages to life
 */
export function addGallery(
  app: PageApp,
  prefix: string,
  context: RenderContext,
  code: string,
): void {
  const root = context.site.root + prefix;
  const script = `${prefix}/gallery.js`;
  const still: RenderContext = {
    ...context,
    now: () => galleryNow,
    assets: { ...context.assets, watchModule: script },
  };
  const states = galleryStates();
  const htmlOf = (state: GalleryState, language: string | null) =>
    renderState(state, language, still);

  app.get(script, () => new Response(code, { headers: { "Content-Type": "text/javascript" } }));
  app.get(prefix, ({ req }) => {
    const language = req.query("lang") ?? null;
    const all = states.map((state) => ({ state, html: htmlOf(state, language) }));
    const style = context.assets.galleryStyle;
    return htmlResponse(
      galleryIndex({ states: all, languages: [...languages.keys()], style, root }),
    );
  });
  for (const state of states) {
    app.get(`${prefix}/${state.id}`, ({ req }) => {
      const language = req.query("lang") ?? req.header("accept-language") ?? null;
      return htmlResponse(htmlOf(state, language));
    });
  }
}

/** One state as a page. */
export function renderState(
  state: GalleryState,
  language: string | null,
  context: RenderContext,
): string {
  const html = renderPage(state.page, language, context);
  if (state.after === undefined) return html;
  return html.replace(
    "<body ",
    `<body data-after="${JSON.stringify(state.after).replaceAll('"', "&quot;")}" `,
  );
}
