import type { RenderContext } from "../rendering/render-context.ts";
import { renderPage } from "../rendering/render.tsx";
import type { GalleryState } from "./gallery-state.ts";

/** One state as a page. */
export function renderState(
  state: GalleryState,
  language: string | null,
  context: RenderContext,
): string {
  const { providerURL, hasSeveralWays = false, after } = state;
  const { vocabulary, liveWords } = context;
  const isOther = providerURL !== undefined || hasSeveralWays;
  const site = isOther ? { ...context.site, providerURL, hasSeveralWays } : context.site;
  const html = stayingHere(renderPage(state.page, language, { ...context, site }));
  const data = {
    after,
    words:
      state.page.access === "signed-in" ? liveWords.of(vocabulary.wordsFor(language)) : undefined,
  };
  const attributes = Object.entries(data).flatMap(([name, value]) =>
    value === undefined ? [] : [`data-${name}="${escapeText(JSON.stringify(value))}" `],
  );
  return html.replace("<body ", (tag) => tag + attributes.join(""));
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
}

/** A page that would retry and go on says so, and stays. */
function stayingHere(html: string): string {
  return html.replace(
    / data-retry="[^"]*"([^>]* data-retrying="([^"]*)"[^>]*>)/,
    (_, attributes: string, words: string) => attributes + words,
  );
}

/** A page in the light or the dark scheme, whichever the system prefers. */
export function withScheme(html: string, scheme: string | null): string {
  if (scheme !== "light" && scheme !== "dark") return html;
  return html.replace("<html ", `<html data-theme="${scheme}" `);
}

/** A page whose links and forms lead nowhere, to look at it in a frame. */
export function withoutLinks(html: string): string {
  return html
    .replaceAll(/(<a\b[^>]*? href=")(?!#\w)[^"]*"/g, '$1#"')
    .replaceAll(/<form\b[^>]*>/g, (form) =>
      form.replaceAll(/ (?:method|action)="[^"]*"/g, "").replace("<form", '<form method="dialog"'),
    );
}
