import type { AppLink } from "../clients.ts";
import type { Markup } from "./html.ts";
import { html } from "./html.ts";

/** The way back from a page: one link for each application that has a home page. */
export function backToApps(apps: readonly AppLink[]): Markup {
  const links = apps.map(({ name, url }) =>
    url === undefined ? html`` : html`<p><a class="action" href="${url}">Back to ${name}</a></p>`,
  );
  return html`${links}`;
}
