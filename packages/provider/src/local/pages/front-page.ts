import type { AppLink } from "../clients.ts";
import type { Markup } from "./html.ts";
import { html } from "./html.ts";
import type { Page } from "./page.ts";
import { page } from "./page.ts";

/** The page at the provider's own address: what this is, and the applications it signs in to. */
export function frontPage(issuer: string, apps: readonly AppLink[]): Page {
  return page(
    "Local test provider",
    html`<h1>Local test provider</h1>
      <p>Sign in to an application as a sample person, without an account anywhere.</p>
      <dl>
        ${apps.map(appEntry)}
        <dt>Issuer</dt>
        <dd><code>${issuer}</code></dd>
        <dt>Metadata</dt>
        <dd><a href="/.well-known/openid-configuration">openid-configuration</a></dd>
      </dl>
      <p><a href="/session/end">Sign out of this provider</a></p>`,
  );
}

function appEntry({ name, url, signInURL }: AppLink): Markup {
  const home = url === undefined ? html`${name}` : html`<a href="${url}">${name}</a>`;
  const signIn =
    signInURL === undefined ? html`` : html` · <a href="${signInURL}">Sign in to ${name}</a>`;
  return html`<dt>Application</dt>
    <dd>${home}${signIn}</dd>`;
}
