import type { AppLink } from "../clients.ts";
import type { Speech } from "../words/words.ts";
import { backToApps, startAgain } from "./app-links.ts";
import { html } from "../../http/html.ts";
import type { Page } from "./page.ts";
import { page } from "./page.ts";

/**
 * What a page has to say in one paragraph: the provider serves nothing at this address; a sign-in
 * was finished, has expired, or was started in another browser; a sign-out names no address to
 * return to.
 */
type PlainNews = "notFound" | "ended" | "signedOut";

/** A page of one paragraph, with the way back to the applications. */
export function plainPage(speech: Speech, news: PlainNews, apps: readonly AppLink[]): Page {
  const { words } = speech;
  const advice = news === "ended" ? startAgain(words, apps) : html``;
  return page({
    speech,
    title: words[`${news}Title`],
    content: html`<p>${words[`${news}Body`]} ${advice}</p>
      ${backToApps(words, apps)}`,
  });
}
