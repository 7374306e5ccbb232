import type { AppLink } from "../clients.ts";
import type { Words } from "../words/words.ts";
import type { Markup } from "./html.ts";
import { fill, html } from "./html.ts";

/** The way back from a page: one link for each application that has a home page. */
export function backToApps(words: Words, apps: readonly AppLink[]): Markup {
  const links = apps.map(({ name, url }) =>
    url === undefined
      ? html``
      : html`<p><a class="action" href="${url}">${fill(words.backTo, { app: name })}</a></p>`,
  );
  return html`${links}`;
}

/** The advice to begin anew, at the application where it is the only one. */
export function startAgain(words: Words, apps: readonly AppLink[]): Markup {
  const [app, ...others] = apps;
  return app === undefined || others.length > 0
    ? html`${words.startAgainSomewhere}`
    : fill(words.startAgain, { app: app.name });
}
