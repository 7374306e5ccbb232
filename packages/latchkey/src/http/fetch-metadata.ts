import type { AuthRequest } from "./auth-request.ts";

/** Fetch Metadata (W3C): headers set by the browser itself, so no page can forge them. */
type WithHeaders = Pick<AuthRequest, "headers">;

/**
 * Returns whether a request comes from our own pages or from the user directly. An app checks this
 * before it acts on a posted form. `Sec-Fetch-Site` decides, else `Origin`. A client without both
 * is no browser another site could use.
 *
 * @param ownOrigin - `auth.config.origin`
 */
export function isSameOrigin(request: WithHeaders, ownOrigin: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin" || site === "none";
  const origin = request.headers.get("origin");
  return origin === null || origin === ownOrigin;
}

/** Returns our own page that sent a request, known by its referrer only; else `null`. */
export function referringPage({ headers }: WithHeaders, ownOrigin: string): string | null {
  const referrer = headers.get("referer") ?? "";
  return referrer.startsWith(`${ownOrigin}/`) ? referrer : null;
}

/** Whether a request changes nothing (RFC 9110, section 9.2.1). */
export function isRead({ method }: { readonly method: string }): boolean {
  return method === "GET" || method === "HEAD";
}

/** Returns whether the browser fetches ahead, without a request of the user. */
export function isPrefetch(request: WithHeaders): boolean {
  const purpose =
    request.headers.get("sec-purpose") ??
    request.headers.get("purpose") ??
    request.headers.get("x-moz") ??
    request.headers.get("x-purpose");
  return (
    (purpose !== null && /prefetch|prerender|preview/i.test(purpose)) ||
    request.headers.get("next-router-prefetch") !== null
  );
}

/**
 * Returns whether the browser reports no navigation: a request of a script, an image or a frame.
 */
export function isNoNavigation(request: WithHeaders): boolean {
  const mode = request.headers.get("sec-fetch-mode");
  return mode !== null && mode !== "navigate" && !isNodeFetch(request);
}

/** Returns whether a response may become the page in a tab, as far as the browser reports it. */
export function isInTab({ headers }: WithHeaders): boolean {
  const destination = headers.get("sec-fetch-dest");
  return destination === null || destination === "document";
}

/** Returns whether the browser reports the load of a page in a tab. */
export function isPageLoad({ method, headers }: Pick<AuthRequest, "headers" | "method">): boolean {
  return method === "GET" && headers.get("sec-fetch-dest") === "document";
}

/** Returns whether the browser reports a form whose response becomes the page in the tab. */
export function isPostedPage({
  method,
  headers,
}: Pick<AuthRequest, "headers" | "method">): boolean {
  return method === "POST" && headers.get("sec-fetch-dest") === "document";
}

/**
 * Returns whether a script of our own pages fetches anything, or the browser fetches ahead for it.
 * Routers of frameworks fetch their next page so, and look like any other script.
 */
export function isPlainFetch(request: Pick<AuthRequest, "headers" | "method">): boolean {
  const { method, headers } = request;
  return (
    method === "GET" &&
    (headers.get("accept") === "*/*" || isPrefetch(request)) &&
    headers.get("sec-fetch-dest") === "empty" &&
    headers.get("sec-fetch-site") === "same-origin"
  );
}

/** Whether a request comes from the `fetch` of Node: it sends `cors` always, and is no browser. */
function isNodeFetch({ headers }: WithHeaders): boolean {
  const agent = headers.get("user-agent");
  return headers.get("sec-fetch-site") === null && (agent === "node" || agent === "undici");
}
