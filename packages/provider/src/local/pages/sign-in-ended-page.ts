import type { AppLink } from "../clients.ts";
import { backToApps } from "./app-links.ts";
import { html } from "./html.ts";
import type { Page } from "./page.ts";
import { page } from "./page.ts";

/** The page for a sign-in that was finished, has expired, or was started in another browser. */
export function signInEndedPage(apps: readonly AppLink[]): Page {
  return page(
    "This sign-in has ended",
    html`<h1>This sign-in has ended</h1>
      <p>
        It's already finished, it's too old, or it was started in another browser. Go back to the
        application and start again.
      </p>
      ${backToApps(apps)}`,
  );
}
