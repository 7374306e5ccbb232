import type { AppLink } from "../clients.ts";
import type { Speech, Words } from "../words/words.ts";
import type { Markup } from "../../http/html.ts";
import { html } from "../../http/html.ts";
import { basePathOf } from "../issuer-path.ts";
import { fill } from "./fill.ts";
import type { Page } from "./page.ts";
import { page } from "./page.ts";

/** The page at the provider's own address: what this is, and the applications it signs in to. */
export function frontPage(speech: Speech, issuer: string, apps: readonly AppLink[]): Page {
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
      </dl>
      <p><a href="${basePath}/session/end">${words.signOutHere}</a></p>`,
  });
}

function appEntry(words: Words, { name, url, signInURL }: AppLink): Markup {
  const home = url === undefined ? html`<bdi>${name}</bdi>` : html`<a href="${url}">${name}</a>`;
  const signIn =
    signInURL === undefined
      ? html``
      : html` · <a href="${signInURL}">${fill(words.signInTo, { app: name })}</a>`;
  return html`<dt>${words.app}</dt>
    <dd>${home}${signIn}</dd>`;
}
