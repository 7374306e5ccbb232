import type { ReactNode } from "react";

import { wall, type DoorState } from "../components/door-mark.tsx";
import { momentPhrases } from "../components/page-frame.tsx";
import type { Words } from "../messages/words.ts";

/** What stands around the content of a page. */
export interface DocumentProps {
  readonly words: Words;
  readonly title: string;
  readonly state: DoorState;
  /** Epoch seconds. */
  readonly now: number;
  readonly style: string;
  /** Runs before the first paint; small. */
  readonly inlineScript: string;
  /** Data for the module, already safe to stand inside HTML. */
  readonly boot?: string;
  /** Address of the module that hydrates the page. */
  readonly module?: string;
  /** The page carries a used code in its address. */
  readonly tidyAddress?: boolean;
  readonly children: ReactNode;
}

/** The whole HTML document. */
export function Document(props: DocumentProps) {
  const { words, title, state, style, inlineScript, boot, module, children } = props;
  return (
    <html lang={words.locale} dir={words.direction}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <meta name="format-detection" content="telephone=no" />
        <title>{title}</title>
        <link rel="icon" href={iconAddress(state)} />
        {module !== undefined && <link rel="modulepreload" href={module} />}
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body
        data-now={props.now}
        data-phrases={JSON.stringify(momentPhrases(words))}
        data-tidy={props.tidyAddress === true ? "" : undefined}
      >
        {children}
        {boot !== undefined && (
          <script type="application/json" id="boot" dangerouslySetInnerHTML={{ __html: boot }} />
        )}
        <script dangerouslySetInnerHTML={{ __html: inlineScript }} />
        {module !== undefined && <script type="module" src={module} />}
      </body>
    </html>
  );
}

const dots: Readonly<Record<DoorState, string>> = {
  "signed-out": "fill='%238c9299'",
  "signed-in": "fill='%2314a085'",
  ending: "fill='%23e08a00'",
  offline: "fill='none' stroke='%238c9299' stroke-width='1.5'",
  stopped: "fill='%23d6453c'",
};

/** The favicon with its state light, inside the page so that it costs no request. */
export function iconAddress(state: DoorState): string {
  return (
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'>" +
    "<style>path{fill:%2316191d}@media(prefers-color-scheme:dark){path{fill:%23eceef0}}</style>" +
    `<path fill-rule='evenodd' d='${wall}'/><circle cx='18' cy='20' r='2.5' ${dots[state]}/></svg>`
  );
}
