import type { AppLink } from "../clients.ts";
import type { Speech } from "../words/words.ts";
import { backToApps } from "./app-links.ts";
import { html } from "./html.ts";
import type { Page } from "./page.ts";
import { page } from "./page.ts";

/** The page after a sign-out that names no address to return to. */
export function signedOutPage(speech: Speech, apps: readonly AppLink[]): Page {
  const { words } = speech;
  return page({
    speech,
    title: words.signedOutTitle,
    content: html`<p>${words.signedOutBody}</p>
      ${backToApps(words, apps)}`,
  });
}
