import type { AppLink } from "../clients.ts";
import type { Speech, Words } from "../words/words.ts";
import type { Markup } from "../../http/html.ts";
import { html } from "../../http/html.ts";
import { basePathOf } from "../issuer-path.ts";
import { fill } from "./fill.ts";
import type { Page } from "./page.ts";
import { page } from "./page.ts";

/** A customer, whose provider has its address below this one. */
export interface CustomerEntry {
  readonly name: string;
  readonly issuer: string;
  readonly apps: readonly AppLink[];
}

/** The page at an issuer's own address: what this is, and the applications it signs in to. */
export function frontPage(
  speech: Speech,
  issuer: string,
  apps: readonly AppLink[],
  customers: readonly CustomerEntry[],
): Page {
  const { words } = speech;
  const basePath = basePathOf(issuer);
  return page({
    speech,
    title: words.name,
    content: html`<p>${words.frontBody}</p>
      <dl>
        ${apps.map((app) => appEntry(words, app))}
        <dt>${words.issuer}</dt>
        <dd><code dir="ltr">${issuer}</code></dd>
        <dt>${words.metadata}</dt>
        <dd><a href="${basePath}/.well-known/openid-configuration">openid-configuration</a></dd>
        ${customers.map((customer) => customerEntry(words, customer))}
      </dl>
      <p><a href="${basePath}/session/end">${words.signOutHere}</a></p>`,
  });
}

function appEntry(words: Words, { name, url, signInURL }: AppLink): Markup {
  const home = url === undefined ? html`<bdi>${name}</bdi>` : html`<a href="${url}">${name}</a>`;
  return html`<dt>${words.app}</dt>
    <dd>${home}${signInLink(words, name, signInURL)}</dd>`;
}

function customerEntry(words: Words, { name, issuer, apps }: CustomerEntry): Markup {
  const signIns = apps.map((app) => signInLink(words, app.name, app.signInURL));
  return html`<dt><bdi>${name}</bdi></dt>
    <dd><a href="${issuer}" dir="ltr">${issuer}</a>${signIns}</dd>`;
}

function signInLink(words: Words, app: string, url: string | undefined): Markup {
  return url === undefined
    ? html``
    : html` · <a href="${url}">${fill(words.signInTo, { app })}</a>`;
}
