import { momentPhrases } from "../components/page-frame.tsx";
import { bootElementID, seedElementID } from "../client/boot.ts";
import type { Words } from "../messages/words.ts";
import type { Scheme } from "./brand.ts";

/** What stands around the content of every page of one kind, in one language. */
export interface DocumentKind {
  /** Address of the picture in the tab. */
  readonly icon: string;
  readonly scheme: Scheme;
  readonly style: string;
  /** Runs before the first paint; small. */
  readonly inlineScript: string;
  /** Address of the module that watches the session. Absent on public pages. */
  readonly module?: string;
  /** Names in the query; a script removes them from the address. */
  readonly passing: readonly string[];
}

/** What each page puts into it. Everything but the body is text. */
export interface DocumentContent {
  readonly locale: string;
  readonly title: string;
  /** Epoch seconds. */
  readonly now: number;
  /** HTML. */
  readonly body: string;
  /** Data for the module, of the site and of the page: JSON. */
  readonly boot?: string;
  readonly seed?: string;
}

/**
 * Control characters that no message and no style has. They are in Latin-1: with others V8 would
 * keep two bytes for each character of the document, and pages would take longer to encode.
 */
const places = {
  title: "\u0091",
  locale: "\u0092",
  now: "\u0093",
  body: "\u0094",
  boot: "\u0095",
  seed: "\u0096",
} as const;

type Place = keyof typeof places;

const anyPlace = new RegExp(`([${Object.values(places).join("")}])`);

/**
 * The document of a kind, with a mark at each place that differs between pages. The style comes
 * before all marks, so it is compressed once.
 */
export function MarkedDocument({ words, kind }: { words: Words; kind: DocumentKind }) {
  const { icon, scheme, style, inlineScript, module, passing } = kind;
  return (
    <html
      lang={words.language}
      dir={words.direction}
      data-theme={scheme === "auto" ? undefined : scheme}
      data-phrases={JSON.stringify(momentPhrases(words))}
      data-passing={passing.length === 0 ? undefined : passing.join(" ")}
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={scheme === "auto" ? "light dark" : scheme} />
        <meta name="format-detection" content="telephone=no" />
        <link rel="icon" href={icon} />
        {/* No frame is painted before the script at the end has said moments in local time. */}
        <link rel="expect" href={`#${endID}`} blocking="render" />
        {module !== undefined && <link rel="modulepreload" href={module} />}
        <style dangerouslySetInnerHTML={{ __html: style }} />
        {/* Written with its element: React would move a title in front of the style. */}
        {places.title}
      </head>
      <body data-locale={places.locale} data-now={places.now}>
        <div dangerouslySetInnerHTML={{ __html: places.body }} />
        {module !== undefined && (
          <>
            <JSONData id={seedElementID} json={places.seed} />
            <JSONData id={bootElementID} json={places.boot} />
          </>
        )}
        <script dangerouslySetInnerHTML={{ __html: inlineScript }} />
        {module !== undefined && <script type="module" src={module} />}
        <span id={endID} hidden />
      </body>
    </html>
  );
}

const endID = "end";

/** Data for scripts. */
function JSONData({ id, json }: { id: string; json: string }) {
  const content = { __html: withoutMarkup(json) };
  return <script type="application/json" id={id} dangerouslySetInnerHTML={content} />;
}

function withoutMarkup(json: string): string {
  return json.replaceAll("<", String.raw`\u003c`);
}

/** Puts the documents of one kind together. */
export type DocumentMaker = (content: DocumentContent) => string;

/** Cuts the HTML of a marked document at its marks. */
export function documentMaker(markedHTML: string): DocumentMaker {
  const pieces = `<!doctype html>${markedHTML}`.split(anyPlace);
  const parts = pieces.map((piece) => placeNamed.get(piece) ?? { piece });
  return (content) => {
    let html = "";
    for (const each of parts) html += typeof each === "string" ? fill(each, content) : each.piece;
    return html;
  };
}

const placeNamed = new Map(
  Object.entries(places).map(([name, mark]) => [mark as string, name as Place]),
);

function fill(
  place: Place,
  { locale, title, now, body, boot = "", seed = "" }: DocumentContent,
): string {
  switch (place) {
    case "locale":
      return escapeText(locale);
    case "title":
      return `<title>${escapeText(title)}</title>`;
    case "now":
      return String(now);
    case "body":
      return body;
    case "boot":
      return withoutMarkup(boot);
    case "seed":
      return withoutMarkup(seed);
  }
}

const references: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#x27;",
};

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => references[character] ?? "");
}
