import { renderToStaticMarkup } from "react-dom/server";

import { FramedPage, type PageFrame } from "../components/page-frame.tsx";
import { Document, type DocumentProps } from "./document.tsx";
import { islandsOf } from "./islands.tsx";
import type { Page, PageTitle, PublicPage, SignedInPage } from "./page.ts";
import type { RenderContext } from "./render-context.ts";

/** The server says moments in this zone, by name; a script turns them into those of the browser. */
const serverZone = "UTC";

/**
 * Renders a page as a whole HTML document.
 *
 * @param language `Accept-Language` of the request; the default language where it is absent
 */
export function renderPage(page: Page, language: string | null, context: RenderContext): string {
  const { site, vocabulary, assets, now } = context;
  const words = vocabulary.wordsFor(language);
  const frame: PageFrame = { site, words, now: now(), zone: serverZone };
  const body =
    page.access === "public"
      ? publicBody(page, frame, context)
      : signedInBody(page, frame, context);
  const document = (
    <Document
      {...body}
      words={words}
      now={frame.now}
      title={documentTitle(page.title, frame)}
      inlineScript={assets.inlineScript}
    />
  );
  return `<!doctype html>${renderToStaticMarkup(document)}`;
}

type Body = Omit<DocumentProps, "words" | "now" | "title" | "inlineScript">;

function publicBody(page: PublicPage, frame: PageFrame, { assets }: RenderContext): Body {
  const { state, tidyAddress = false, content } = page;
  return {
    state,
    tidyAddress,
    style: assets.publicStyle,
    children: <FramedPage frame={frame}>{content}</FramedPage>,
  };
}

function signedInBody(page: SignedInPage, frame: PageFrame, context: RenderContext): Body {
  const { markup, boot } = islandsOf(page, frame, context);
  return {
    state: "signed-in",
    style: context.assets.signedInStyle,
    module: context.site.root + context.assets.liveModule,
    boot,
    children: <div dangerouslySetInnerHTML={{ __html: markup }} />,
  };
}

function documentTitle({ id, values, isError = false }: PageTitle, frame: PageFrame): string {
  const { words, site } = frame;
  const names = { app: site.app, provider: site.provider, host: site.host };
  const page = words.text(id, { ...names, ...values });
  const named = isError ? words.text("shell.errorTitle", { page }) : page;
  return words.text("shell.title", { page: named, app: site.app });
}
