import type { ReactNode } from "react";

import { bootElementID } from "../client/boot.ts";
import { iconAddress } from "../components/door-icon.ts";
import type { DoorState } from "../components/door-mark.tsx";
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
          <script
            type="application/json"
            id={bootElementID}
            dangerouslySetInnerHTML={{ __html: boot }}
          />
        )}
        <script dangerouslySetInnerHTML={{ __html: inlineScript }} />
        {module !== undefined && <script type="module" src={module} />}
      </body>
    </html>
  );
}
