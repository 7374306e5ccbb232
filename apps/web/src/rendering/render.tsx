import type { Session } from "latchkey";
import type { InitialSession, Paths } from "latchkey/react";
import type { ReactNode } from "react";
import { renderToStaticMarkup, renderToString } from "react-dom/server";

import { type Boot, islandMessages } from "../client/boot.ts";
import type { DoorState } from "../components/door-mark.tsx";
import { FramedPage, type PageFrame, type Site } from "../components/page-frame.tsx";
import { type LiveFacts, LiveFrame } from "../live/live-frame.tsx";
import type { Vocabulary } from "../messages/compiled-words.ts";
import { liveWords } from "../messages/live-words.ts";
import { LiveScreen, liveTitle, type LiveView } from "./live-view.tsx";
import { doorStateOf, type PlainView, Screen, titleOf } from "./plain-view.tsx";
import { Document } from "./document.tsx";
import type { PageParts } from "./page-assets.ts";

/** What every page of the app is made from. */
export interface Press {
  readonly site: Site;
  readonly vocabulary: Vocabulary;
  readonly parts: PageParts;
  /** Where scripts in the browser find the engine. */
  readonly paths: Paths;
  /** Epoch seconds. */
  readonly now: () => number;
}

/** In which language, from `Accept-Language`; the fallback where it is absent. */
export type AcceptLanguage = string | null;

/** The server says moments in this zone, by name; a script turns them into those of the browser. */
const serverZone = "UTC";

/** A page that needs no script, as a whole HTML document. */
export function renderPlainPage(view: PlainView, language: AcceptLanguage, press: Press): string {
  const frame = frameOf(language, press);
  return documentOf({
    frame,
    press,
    title: titleOf(view),
    state: doorStateOf(view),
    style: press.parts.pageStyle,
    tidyAddress: view.screen === "problem",
    content: (
      <FramedPage frame={frame}>
        <Screen view={view} />
      </FramedPage>
    ),
  });
}

/** A page for a signed-in person, as a whole HTML document that comes to life in the browser. */
export function renderLivePage(
  view: LiveView,
  session: Session,
  language: AcceptLanguage,
  press: Press,
): string {
  const frame = frameOf(language, press);
  const { site, words, now } = frame;
  const facts: LiveFacts = {
    seed: seedOf(session, now),
    paths: press.paths,
    words: liveWords(words, { app: site.app, provider: site.provider }),
  };
  const boot: Boot = {
    ...facts,
    site,
    now,
    language: words.language,
    locale: words.locale,
    messages: press.vocabulary.messagesFor(words.language, islandMessages),
  };
  const markup = renderToString(
    <LiveFrame frame={frame} facts={facts}>
      <LiveScreen view={view} />
    </LiveFrame>,
  );
  return documentOf({
    frame,
    press,
    title: liveTitle(view),
    state: "signed-in",
    style: press.parts.liveStyle,
    module: site.root + press.parts.liveModule,
    boot: JSON.stringify(boot).replaceAll("<", String.raw`\u003c`),
    content: <div dangerouslySetInnerHTML={{ __html: markup }} />,
  });
}

interface DocumentParts {
  readonly frame: PageFrame;
  readonly press: Press;
  readonly title: ReturnType<typeof titleOf>;
  readonly state: DoorState;
  readonly style: string;
  readonly tidyAddress?: boolean;
  readonly module?: string;
  readonly boot?: string;
  readonly content: ReactNode;
}

function documentOf({ frame, press, title, content, ...rest }: DocumentParts): string {
  const document = (
    <Document
      {...rest}
      words={frame.words}
      now={frame.now}
      title={documentTitle(title, frame)}
      inlineScript={press.parts.inlineScript}
    >
      {content}
    </Document>
  );
  return `<!doctype html>${renderToStaticMarkup(document)}`;
}

function frameOf(language: AcceptLanguage, { site, vocabulary, now }: Press): PageFrame {
  return { site, words: vocabulary.wordsFor(language), now: now(), zone: serverZone };
}

function documentTitle(
  { id, values, error }: ReturnType<typeof titleOf>,
  frame: PageFrame,
): string {
  const { words, site } = frame;
  const names = { app: site.app, provider: site.provider, host: site.host };
  const page = words.text(id, { ...names, ...values });
  const named = error === true ? words.text("shell.errorTitle", { page }) : page;
  return words.text("shell.title", { page: named, app: site.app });
}

/** Claims that pages need in the browser from the first frame on; the rest stays on the server until asked for. */
const seededClaims: ReadonlySet<string> = new Set([
  "sub",
  "name",
  "preferred_username",
  "nickname",
  "email",
  "picture",
  "org_id",
  "org_name",
]);

function seedOf({ user, times }: Session, now: number): InitialSession {
  const claims = Object.entries(user).filter(([name]) => seededClaims.has(name));
  const { rollingEndsAt, absoluteEndsAt, endsAt, createdAt, updatedAt } = times;
  return {
    user: { ...Object.fromEntries(claims), sub: user.sub },
    times: { rollingEndsAt, absoluteEndsAt, endsAt, createdAt, updatedAt },
    now,
  };
}
