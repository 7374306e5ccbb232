import { createVocabulary } from "../messages/compiled-words.ts";
import { defaultLanguage, type Languages } from "../messages/catalogue.ts";
import { languages } from "../messages/languages.ts";
import type { Names } from "../messages/words.ts";
import type { PageApp } from "../pages/page-deps.ts";
import { htmlResponse } from "../pages/page-response.ts";
import { createLiveWords } from "../rendering/live-words.ts";
import type { RenderContext } from "../rendering/render-context.ts";
import { renderPage } from "../rendering/render.tsx";
import { addLiveWords } from "../pages/live-words-route.ts";
import { galleryIndex } from "./gallery-index.tsx";
import type { GalleryState } from "./gallery-state.ts";
import { galleryNow } from "./people.ts";
import { pseudoLanguage, pseudoTag } from "./pseudo-language.ts";
import { galleryStates } from "./states.ts";

/**
 * Adds the gallery to the app. The caller ensures that this is development.
 *
 * @param prefix its path, e.g. `/_auth/gallery`
 * @param code the script of its pages
 * @param names the names in messages
 */
export function addGallery(
  app: PageApp,
  prefix: string,
  context: RenderContext,
  code: string,
  names: Names,
): void {
  const root = context.site.root + prefix;
  const script = `${prefix}/gallery.js`;
  const spoken = galleryLanguages();
  const vocabulary = createVocabulary(names, spoken);
  const still: RenderContext = {
    ...context,
    vocabulary,
    liveWords: createLiveWords(vocabulary, spoken.keys()),
    now: () => galleryNow,
    assets: { ...context.assets, watchModule: script },
  };
  addLiveWords(app, still.liveWords);
  const states = galleryStates(new URL(context.site.baseURL).origin);
  const htmlOf = (state: GalleryState, language: string | null) =>
    renderState(state, language, still);

  app.get(script, () => new Response(code, { headers: { "Content-Type": "text/javascript" } }));
  app.get(prefix, ({ req }) => {
    const language = req.query("lang") ?? null;
    const all = states.map((state) => ({ state, html: htmlOf(state, language) }));
    const style = context.assets.galleryStyle;
    return htmlResponse(galleryIndex({ states: all, languages: [...spoken.keys()], style, root }));
  });
  for (const state of states) {
    app.get(`${prefix}/${state.id}`, ({ req }) => {
      const language = req.query("lang") ?? req.header("accept-language") ?? null;
      return htmlResponse(htmlOf(state, language));
    });
  }
}

/** The languages of the app, and one that shows the effect of a translation on a screen. */
function galleryLanguages(): Languages {
  const english = languages.get(defaultLanguage);
  if (english === undefined) return languages;
  return new Map([...languages, [pseudoTag, pseudoLanguage(english)]]);
}

/** One state as a page. */
export function renderState(
  state: GalleryState,
  language: string | null,
  context: RenderContext,
): string {
  const { providerURL } = state;
  const site = providerURL === undefined ? context.site : { ...context.site, providerURL };
  const html = stayingHere(renderPage(state.page, language, { ...context, site }));
  if (state.after === undefined) return html;
  return html.replace(
    "<body ",
    `<body data-after="${JSON.stringify(state.after).replaceAll('"', "&quot;")}" `,
  );
}

/** A page that would retry and go on says so, and stays. */
function stayingHere(html: string): string {
  return html.replace(
    / data-retry="[^"]*"([^>]* data-retrying="([^"]*)"[^>]*>)/,
    (_, attributes: string, words: string) => attributes + words,
  );
}
