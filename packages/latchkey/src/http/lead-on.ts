import type { AuthRequest } from "./auth-request.ts";
import { escapeHTML } from "./escape-html.ts";
import { isPostedPage, isRead } from "./fetch-metadata.ts";
import type { HeaderList } from "./headers.ts";
import { html, redirect, type ResponseParts } from "./response-parts.ts";

/**
 * Leads a browser to an address of another origin, or to one of ours that leads there.
 *
 * After a form this is a page that goes on at once: Chromium applies `form-action` of the page with
 * the form to every redirect (CSP 3, section 6.4.1), and `'self'`, the default of helmet, would
 * stop the user without a word. Going on from a page is a navigation of its own.
 */
export function leadOn(
  request: Pick<AuthRequest, "headers" | "method">,
  location: string,
  headers: HeaderList = [],
): ResponseParts {
  if (!isPostedPage(request)) return redirect(location, isRead(request) ? 302 : 303, headers);
  return html(pageTo(location), 200, [["Refresh", `0;url=${location}`], ...headers]);
}

/**
 * The link is for users whose browser goes nowhere by itself. No page contains an ID token: without
 * it the provider may want a confirmation of the logout.
 */
function pageTo(address: string): string {
  const location = address.replace(/([?&])id_token_hint=[^&]*&?/, "$1");
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Continue</title><a href="${escapeHTML(location)}">Continue</a></html>`;
}
