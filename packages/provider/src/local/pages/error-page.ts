import { html } from "./html.ts";
import type { Page } from "./page.ts";
import { page } from "./page.ts";

/** The page for a request that cannot be sent back to an application. */
export function errorPage(error: string, description: string | undefined): Page {
  return page(
    "This request cannot be answered",
    html`<h1>This request cannot be answered</h1>
      <p>
        The application sent something that this provider does not accept. Go back to the
        application and start again; if it happens again, its settings do not fit this provider.
      </p>
      <dl>
        <dt>Error</dt>
        <dd><code>${error}</code></dd>
        ${
          description === undefined
            ? html``
            : html`<dt>Reason</dt>
                <dd>${description}</dd>`
        }
      </dl>`,
  );
}

/** The page for a sign-in that was finished, forgotten, or begun in another browser. */
export function signInOverPage(): Page {
  return page(
    "This sign-in is over",
    html`<h1>This sign-in is over</h1>
      <p>
        It was finished already, is too old, or was begun in another browser. Go back to the
        application and start again.
      </p>`,
  );
}
