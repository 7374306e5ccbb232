import type { AppLink } from "../clients.ts";
import type { Speech } from "../words/words.ts";
import { backToApps, startAgain } from "./app-links.ts";
import { html } from "../../http/html.ts";
import type { Page } from "./page.ts";
import { page } from "./page.ts";

/** What went wrong, as OAuth names it. */
export interface PageError {
  readonly error: string;
  readonly description?: string | undefined;
}

/**
 * The page for a request without a valid way back to its application.
 *
 * @param apps the application of the request, or all of them if it is unknown.
 */
export function errorPage(
  speech: Speech,
  { error, description }: PageError,
  apps: readonly AppLink[],
): Page {
  const { words } = speech;
  const reason = html`<dt>${words.reason}</dt>
    <dd><bdi lang="en">${description}</bdi></dd>`;
  return page({
    speech,
    title: words.errorTitle,
    content: html`<p>${startAgain(words, apps)} ${words.errorBody}</p>
      <dl>
        <dt>${words.error}</dt>
        <dd><code dir="ltr">${error}</code></dd>
        ${description === undefined ? html`` : reason}
      </dl>
      ${backToApps(words, apps)}`,
  });
}
