import { defaultLanguage, type Languages } from "../messages/catalogue.ts";
import { createVocabulary } from "../messages/vocabulary.ts";
import { languages } from "../messages/languages.ts";
import type { Names } from "../messages/words.ts";
import { type Brand, withBrand } from "../rendering/brand.ts";
import { createLiveWords } from "../rendering/live-words.ts";
import type { GalleryAssets } from "../rendering/page-assets.ts";
import type { RenderContext } from "../rendering/render-context.ts";
import { styleSheets } from "../rendering/style-sheets.ts";
import { galleryIndex } from "./gallery-index.tsx";
import type { GalleryState } from "./gallery-state.ts";
import { galleryNow } from "./people.ts";
import { pseudoLanguage, pseudoTag } from "./pseudo-language.ts";
import { renderState, withoutLinks, withScheme } from "./render-state.ts";
import { galleryStates } from "./states.ts";
import { readTheme, type Theme } from "./theme.ts";

/** What the gallery is made of. */
export interface GalleryOptions {
  /** What the pages of the app are rendered with. */
  readonly context: Omit<RenderContext, "vocabulary" | "liveWords" | "now">;
  /** The names in messages. */
  readonly names: Names;
  /** The colors of the app. */
  readonly brand: Brand;
  /** Path of the gallery below the root of the site, e.g. `/_auth/gallery`. */
  readonly prefix: string;
  /** What the build made for the gallery. */
  readonly files: GalleryAssets;
  /** Address of a module that renders the index in the browser. By default a server does it. */
  readonly renderer?: string;
}

/** Every screen in every state. */
export interface Gallery {
  readonly states: readonly GalleryState[];
  /** Applies the theme of a query. */
  withTheme(query: URLSearchParams): ThemedGallery;
}

interface ThemedGallery {
  /**
   * Renders the theme bench with all states below.
   *
   * @param frames `srcdoc`: the states are part of the page; `src`: the browser loads them
   */
  index(frames: "src" | "srcdoc"): string;
  /** @param language `Accept-Language`, if the query has no `lang` */
  page(state: GalleryState, language: string | null): string;
  /** Every style inside these pages. */
  readonly styles: readonly string[];
}

export function createGallery(options: GalleryOptions): Gallery {
  const { context, names, brand, prefix } = options;
  const spoken = galleryLanguages();
  const root = context.site.root + prefix;
  // Hosts of files redirect from the address of a folder without the slash.
  const end = options.renderer === undefined ? "" : "/";
  const states = galleryStates(new URL(context.site.baseURL).origin);

  function withTheme(query: URLSearchParams): ThemedGallery {
    const theme = readTheme(query, { name: names.app, brand });
    const themedContext = contextWith(theme, options, spoken);
    const search = query.size === 0 ? "" : `?${query}`;
    const addressOf = ({ id }: GalleryState) => `${root}/${id}${end}${search}`;
    const page: ThemedGallery["page"] = (state, accepted) => {
      const html = renderState(state, query.get("lang") || accepted, themedContext);
      return withScheme(html, query.get("scheme"));
    };
    return {
      index: (frames) =>
        galleryIndex({
          states: states.map((state) => ({
            ...state,
            address: addressOf(state),
            html: frames === "src" ? undefined : withoutLinks(page(state, null)),
          })),
          languages: [...spoken.keys()],
          theme,
          root: root + end,
          style: options.files.style,
          script: `${root}/gallery.js`,
          renderer: options.renderer,
        }),
      page,
      styles: [...styleSheets(themedContext.assets.styleParts), options.files.style],
    };
  }

  return { states, withTheme };
}

/** The pages of the app with a theme, a clock that stands still, and the script of the gallery. */
function contextWith(
  { settings, brand }: Theme,
  { context, names, prefix }: GalleryOptions,
  spoken: Languages,
): RenderContext {
  const { site, assets } = context;
  const vocabulary = createVocabulary({ ...names, app: settings.name }, spoken);
  return {
    ...context,
    site: { ...site, app: settings.name, logo: settings.logo ?? site.logo },
    vocabulary,
    liveWords: createLiveWords(vocabulary, spoken),
    now: () => galleryNow,
    assets: { ...withBrand(assets, brand), watchModule: `${prefix}/gallery.js` },
  };
}

/** The languages of the app, and one that shows the effect of a translation on a screen. */
function galleryLanguages(): Languages {
  const english = languages.get(defaultLanguage);
  if (english === undefined) return languages;
  return new Map([...languages, [pseudoTag, pseudoLanguage(english)]]);
}
