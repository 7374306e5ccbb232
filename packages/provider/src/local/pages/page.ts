import type { Speech } from "../words/words.ts";
import type { Markup } from "../../http/html.ts";
import { html } from "../../http/html.ts";
import { styleElement, styleHash } from "./style.ts";

/** A page with its headers. */
export interface Page {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a page is made of. */
export interface PageParts {
  readonly speech: Speech;
  readonly title: string;
  readonly content: Markup;
  /**
   * Origins at which a form of this page may end. A browser checks every redirect after a form
   * against this list, so it includes the application's origin.
   */
  readonly formTargets?: readonly string[];
}

/** A person on the color of the notice, unlike the icon of the application. */
const icon =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32' fill='white'>" +
  "<rect width='32' height='32' rx='8' fill='%238a5200'/><circle cx='16' cy='11' r='5'/>" +
  "<path d='M6 27a10 8 0 0 1 20 0z'/></svg>";

/** Puts content into the shared layout of the local provider's pages. */
export function page({ speech, title, content, formTargets = [] }: PageParts): Page {
  const { language, words, customer } = speech;
  const body = html`<!doctype html>
    <html lang="${language}" dir="${words.direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="${icon}" />
        ${styleElement}
      </head>
      <body>
        <header class="notice">${words.notice}</header>
        <main>
          ${customer === undefined ? html`` : html`<p class="customer"><bdi>${customer}</bdi></p>`}
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html> `;
  return { headers: headers(language, formTargets), body: String(body) };
}

function headers(language: string, formTargets: readonly string[]): Record<string, string> {
  return {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Language": language,
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
