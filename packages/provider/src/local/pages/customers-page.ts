import type { AppLink } from "../clients.ts";
import type { Speech } from "../words/words.ts";
import { html } from "../../http/html.ts";
import { fill } from "./fill.ts";
import type { Page } from "./page.ts";
import { page } from "./page.ts";

/** A customer on the page of all. */
export interface CustomerEntry {
  readonly name: string;
  readonly issuer: string;
  readonly apps: readonly AppLink[];
}

/** The page above all customers: the address of each, and the sign-in to the application. */
export function customersPage(speech: Speech, customers: readonly CustomerEntry[]): Page {
  const { words } = speech;
  return page({
    speech,
    title: words.name,
    content: html`<p>${words.frontBody}</p>
      <dl>
        ${customers.map(
          ({ name, issuer, apps }) =>
            html`<dt><bdi>${name}</bdi></dt>
              <dd>
                <a href="${issuer}" dir="ltr">${issuer}</a>
                ${apps.map(({ name: app, signInURL }) =>
                  signInURL === undefined
                    ? html``
                    : html` · <a href="${signInURL}">${fill(words.signInTo, { app })}</a>`,
                )}
              </dd>`,
        )}
      </dl>`,
  });
}
