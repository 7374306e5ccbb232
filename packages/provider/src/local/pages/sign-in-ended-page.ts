import type { AppLink } from "../clients.ts";
import type { Speech } from "../words/words.ts";
import { backToApps, startAgain } from "./app-links.ts";
import { html } from "./html.ts";
import type { Page } from "./page.ts";
import { page } from "./page.ts";

/** The page for a sign-in that was finished, has expired, or was started in another browser. */
export function signInEndedPage(speech: Speech, apps: readonly AppLink[]): Page {
  const { words } = speech;
  return page({
    speech,
    title: words.endedTitle,
    content: html`<p>${words.endedBody} ${startAgain(words, apps)}</p>
      ${backToApps(words, apps)}`,
  });
}
