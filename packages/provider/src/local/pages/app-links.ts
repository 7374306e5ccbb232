import type { AppLink } from "../clients.ts";
import type { Words } from "../words/words.ts";
import type { Markup } from "../../http/html.ts";
import { html } from "../../http/html.ts";
import { fill } from "./fill.ts";

/** The way back from a page: one link for each application with a home page. */
export function backToApps(words: Words, apps: readonly AppLink[]): Markup {
  const links = apps.map(({ name, url }) =>
    url === undefined
      ? html``
      : html`<p><a class="action" href="${url}">${fill(words.backTo, { app: name })}</a></p>`,
  );
  return html`${links}`;
}

/** The advice to begin anew, with the name of the application if there is only one. */
export function startAgain(words: Words, apps: readonly AppLink[]): Markup {
  const [app, ...others] = apps;
  return app === undefined || others.length > 0
    ? html`${words.startAgainSomewhere}`
    : fill(words.startAgain, { app: app.name });
}
