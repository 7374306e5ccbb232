import type { AppLink } from "../clients.ts";
import { backToApps } from "./app-links.ts";
import { html } from "./html.ts";
import type { Page } from "./page.ts";
import { page } from "./page.ts";

/** The page at an address where the provider serves nothing. */
export function notFoundPage(apps: readonly AppLink[]): Page {
  return page(
    "We can't find this page",
    html`<h1>We can't find this page</h1>
      <p>The local test provider has no page at this address.</p>
      ${backToApps(apps)}`,
  );
}
