import type { Markup } from "./html.ts";
import { html } from "./html.ts";
import type { Page } from "./page.ts";
import { page } from "./page.ts";

/** An application as the front page lists it. */
export interface AppLink {
  readonly name: string;
  /** Where a sign-in that starts at the provider is begun (OpenID Connect Core 4). */
  readonly startURL: string | undefined;
}

/** The page at the provider's own address: what this is, and the applications it signs in to. */
export function frontPage(issuer: string, apps: readonly AppLink[]): Page {
  return page(
    "Local OpenID provider",
    html`<h1>Local OpenID provider</h1>
      <p>
        It signs in made-up people, so that an application can be tried without accounts anywhere.
      </p>
      <dl>
        <dt>Issuer</dt>
        <dd><code>${issuer}</code></dd>
        <dt>Metadata</dt>
        <dd><a href="/.well-known/openid-configuration">openid-configuration</a></dd>
        ${apps.map(appEntry)}
      </dl>
      <p><a href="/session/end">Sign out here</a></p>`,
  );
}

function appEntry({ name, startURL }: AppLink): Markup {
  const link = startURL === undefined ? html`` : html` <a href="${startURL}">Sign in</a>`;
  return html`<dt>Application</dt>
    <dd>${name}${link}</dd>`;
}
