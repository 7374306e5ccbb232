import type { AppLink } from "../clients.ts";
import type { Speech } from "../words/words.ts";
import { backToApps } from "./app-links.ts";
import { html } from "./html.ts";
import type { Page } from "./page.ts";
import { page } from "./page.ts";

/** The page at an address where the provider serves nothing. */
export function notFoundPage(speech: Speech, apps: readonly AppLink[]): Page {
  const { words } = speech;
  return page({
    speech,
    title: words.notFoundTitle,
    content: html`<p>${words.notFoundBody}</p>
      ${backToApps(words, apps)}`,
  });
}
