import type { AppLink } from "../clients.ts";
import { backToApps } from "./app-links.ts";
import { html } from "./html.ts";
import type { Page } from "./page.ts";
import { page } from "./page.ts";

/**
 * The page for a request that cannot be sent back to an application.
 *
 * @param apps the application that sent it, or all of them where it is unknown.
 */
export function errorPage(
  error: string,
  description: string | undefined,
  apps: readonly AppLink[],
): Page {
  const reason = html`<dt>Reason</dt>
    <dd>${description}</dd>`;
  return page(
    "We can't do what the application asked",
    html`<h1>We can't do what the application asked</h1>
      <p>
        Go back to the application and start again. If this page comes back, the application's
        settings don't match this provider's.
      </p>
      <dl>
        <dt>Error</dt>
        <dd><code>${error}</code></dd>
        ${description === undefined ? html`` : reason}
      </dl>
      ${backToApps(apps)}`,
  );
}
