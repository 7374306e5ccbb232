import type { AppLink } from "../clients.ts";
import { backToApps } from "./app-links.ts";
import { html } from "./html.ts";
import type { Page } from "./page.ts";
import { page } from "./page.ts";

/** The page after a sign-out that names no address to return to. */
export function signedOutPage(apps: readonly AppLink[]): Page {
  return page(
    "You're signed out",
    html`<h1>You're signed out</h1>
      <p>Nobody is signed in to the local test provider in this browser.</p>
      ${backToApps(apps)}`,
  );
}
