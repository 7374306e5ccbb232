import { html } from "./html.ts";
import type { Page } from "./page.ts";
import { page } from "./page.ts";

/** The page after a sign-out that names no address to return to. */
export function signedOutPage(): Page {
  return page(
    "Signed out",
    html`<h1>You are signed out</h1>
      <p>Nobody is signed in at this provider in this browser any more.</p>`,
  );
}
