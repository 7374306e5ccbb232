import type { Markup } from "./html.ts";
import { html } from "./html.ts";
import { styleElement, styleHash } from "./style.ts";

/** A page and the headers that it must be sent with. */
export interface Page {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Puts content into the layout that all pages of the local provider share.
 *
 * @param formTargets origins that a form of this page may end at. A browser checks every redirect
 *   that follows a form against this list, so the application's origin belongs in it.
 */
export function page(title: string, content: Markup, formTargets: readonly string[] = []): Page {
  const { markup } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${styleElement}
      </head>
      <body>
        <header class="notice">
          Local test provider: anyone can sign in here. Not for production.
        </header>
        <main>${content}</main>
      </body>
    </html> `;
  return { headers: headers(formTargets), body: markup };
}

function headers(formTargets: readonly string[]): Record<string, string> {
  return {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Content-Security-Policy": [
      "default-src 'none'",
      `style-src '${styleHash}'`,
      "img-src 'self' data:",
      `form-action ${["'self'", ...formTargets].join(" ")}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
  };
}
