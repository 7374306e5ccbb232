import type { Session } from "latchkey";
import { renderToStaticMarkup, renderToString } from "react-dom/server";

import type { DoorState } from "../components/door-mark.tsx";
import { FramedPage, type PageFrame, type Site } from "../components/page-frame.tsx";
import type { Vocabulary } from "../messages/compiled-words.ts";
import type { Words } from "../messages/words.ts";
import type { Boot } from "../client/boot.ts";
import { problemPlans } from "../screens/problem/problem-plans.ts";
import { liveMessages, type LiveView } from "../screens/live-view.tsx";
import { isLive, Screen, titleOf, type View } from "../screens/view.tsx";
import { Document } from "./document.tsx";
import type { PageParts } from "./page-parts.ts";

/** What every page of the app is made from. */
export interface Press {
  readonly site: Site;
  readonly vocabulary: Vocabulary;
  readonly parts: PageParts;
  /** Epoch seconds. */
  readonly now: () => number;
}

/** Until the browser has said its zone in a script, moments are said in this one, by name. */
const serverZone = "UTC";

/** A view as a whole HTML document, in the language that `Accept-Language` asks for. */
export function renderPage(
  view: View,
  acceptLanguage: string | null,
  press: Press,
  session?: Session,
): string {
  void session;
  const words = press.vocabulary.wordsFor(acceptLanguage);
  const frame: PageFrame = { site: press.site, words, now: press.now(), zone: serverZone };
  const content = (
    <FramedPage frame={frame}>
      <Screen view={view} />
    </FramedPage>
  );
  const shared = {
    words,
    title: documentTitle(view, words, press.site),
    state: doorState(view),
    now: frame.now,
    inlineScript: press.parts.inlineScript,
  };
  const document = isLive(view) ? (
    <Document
      {...shared}
      style={press.parts.liveStyle}
      module={press.site.root + press.parts.liveModule}
      boot={bootJSON(view, frame, press)}
    >
      <div id="root" dangerouslySetInnerHTML={{ __html: renderToString(content) }} />
    </Document>
  ) : (
    <Document {...shared} style={press.parts.pageStyle} tidyAddress={view.screen === "problem"}>
      {content}
    </Document>
  );
  return `<!doctype html>${renderToStaticMarkup(document)}`;
}

function documentTitle(view: View, words: Words, site: Site): string {
  const { id, values, error } = titleOf(view);
  const names = { app: site.app, provider: site.provider, host: site.host };
  const page = words.text(id, { ...names, ...values });
  const named = error === true ? words.text("shell.errorTitle", { page }) : page;
  return words.text("shell.title", { page: named, app: site.app });
}

function doorState(view: View): DoorState {
  if (isLive(view)) return "signed-in";
  if (view.screen === "problem") return problemPlans[view.problem.kind].mark;
  return "signed-out";
}

function bootJSON(view: LiveView, { words, now, site }: PageFrame, press: Press): string {
  const boot: Boot = {
    view,
    site,
    now,
    language: words.language,
    locale: words.locale,
    messages: press.vocabulary.messagesFor(words.language, liveMessages),
  };
  return JSON.stringify(boot).replaceAll("<", String.raw`\u003c`);
}
