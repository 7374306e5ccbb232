import type { AuthRequest } from "latchkey";
import { renderToStaticMarkup } from "react-dom/server";

import { FramedPage, type PageFrame, type Site } from "../components/page-frame.tsx";
import { iconAddress } from "../components/door/door-icon.ts";
import type { DoorState } from "../components/door/door-mark.tsx";
import type { Words } from "../messages/words.ts";
import type { Scheme } from "./brand.ts";
import {
  type DocumentContent,
  type DocumentKind,
  type DocumentMaker,
  documentMaker,
  MarkedDocument,
} from "./document.tsx";
import { inlineScript } from "./inline-scripts.ts";
import { islandsOf, sharedBoot } from "./islands.tsx";
import type { Page, PageTitle } from "./page.ts";
import type { PageAssets } from "./page-assets.ts";
import type { RenderContext } from "./render-context.ts";
import { type SheetName, styleSheet } from "./style-sheets.ts";

/** The server says moments in this zone, by name; a script turns them into those of the browser. */
const serverZone = "UTC";

/** Renders a page for a request: in the language of its browser, or as the app chooses. */
export function renderFor(request: AuthRequest, page: Page, context: RenderContext): string {
  const accepted = request.headers.get("accept-language");
  const { scheme, language = accepted } = context.choose?.(request) ?? {};
  const isElsewhere = request.pageURL !== undefined;
  if (scheme === undefined && !isElsewhere) return renderPage(page, language, context);
  const site = siteFor(context.site, { scheme, isElsewhere });
  return renderPage(page, language, { ...context, site });
}

interface Place {
  readonly scheme: Scheme | undefined;
  /** Whether the page is below the address of another app, whose own paths lead elsewhere. */
  readonly isElsewhere: boolean;
}

/** Parts of pages are kept by their site, so there is one for each scheme and place. */
const sites = new WeakMap<Site, Map<string, Site>>();

function siteFor(site: Site, { scheme, isElsewhere }: Place): Site {
  const known = sites.get(site) ?? new Map<string, Site>();
  sites.set(site, known);
  const key = `${scheme} ${isElsewhere}`;
  const root = isElsewhere ? new URL(site.baseURL).origin + site.root : site.root;
  const found = known.get(key) ?? { ...site, scheme, root };
  known.set(key, found);
  return found;
}

/**
 * Renders a page as a whole HTML document.
 *
 * @param language `Accept-Language` of the request; the default language without it
 */
export function renderPage(page: Page, language: string | null, context: RenderContext): string {
  const { site, vocabulary, now } = context;
  const words = vocabulary.wordsFor(language, page.provider);
  const frame: PageFrame = { site, words, now: now(), zone: serverZone };
  const makeDocument = makerFor(page, words, context);
  return makeDocument({
    locale: words.locale,
    title: documentTitle(page.title, words),
    now: frame.now,
    ...bodyOf(page, frame, context),
  });
}

function bodyOf(
  page: Page,
  frame: PageFrame,
  context: RenderContext,
): Pick<DocumentContent, "body" | "boot" | "seed"> {
  if (page.access === "signed-in") {
    const boot = JSON.stringify(sharedBoot(frame.words, context));
    return { ...islandsOf(page, frame, context), boot };
  }
  return { body: renderToStaticMarkup(<FramedPage frame={frame}>{page.content}</FramedPage>) };
}

/**
 * What stands around the content of a page is made once for every kind of page and language: it is
 * the same at all hosts of an app.
 */
const makers = new WeakMap<PageAssets, Map<string, DocumentMaker>>();

function makerFor(page: Page, words: Words, context: RenderContext): DocumentMaker {
  const { assets } = context;
  const known = makers.get(assets) ?? new Map<string, DocumentMaker>();
  makers.set(assets, known);
  const { passing = [] } = page;
  const [sheet, state]: [SheetName, DoorState] =
    page.access === "public" ? ["public", page.state] : [page.sheet, "signed-in"];
  const { logo, root, scheme = "auto" } = context.site;
  const key = [words.language, sheet, state, scheme, root, ...passing].join(" ");
  const found = known.get(key);
  if (found !== undefined) return found;
  const kind: DocumentKind = {
    icon: (typeof logo === "object" ? logo[scheme === "dark" ? 1 : 0] : logo) ?? iconAddress(state),
    scheme,
    passing,
    style: styleSheet(assets.styleParts, sheet),
    inlineScript: inlineScript(assets, sheet),
    ...(page.access === "signed-in" && { module: root + assets.watchModule }),
  };
  const maker = documentMaker(renderToStaticMarkup(<MarkedDocument words={words} kind={kind} />));
  known.set(key, maker);
  return maker;
}

function documentTitle({ id, values, isError = false }: PageTitle, words: Words): string {
  const page = words.text(id, values);
  const named = isError ? words.text("shell.errorTitle", { page }) : page;
  return words.text("shell.title", { page: named });
}
