import type { AuthRequest } from "./auth-request.ts";

/** With what the browser says of a request on its own account (W3C Fetch Metadata): nothing that a page can forge. */
type WithHeaders = Pick<AuthRequest, "headers">;

/**
 * Whether this request comes from a page of our own, or from the person directly: what an app asks before it acts on a
 * posted form. `Sec-Fetch-Site` decides, else `Origin`; a client that says neither is no browser that another site
 * could use.
 *
 * @param ownOrigin `auth.config.origin`
 */
export function isSameOrigin(request: WithHeaders, ownOrigin: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin" || site === "none";
  const origin = request.headers.get("origin");
  return origin === null || origin === ownOrigin;
}

/** The page of our own that a request comes from, where only the referrer tells; `null` where it does not. */
export function referringPage({ headers }: WithHeaders, ownOrigin: string): string | null {
  const referrer = headers.get("referer") ?? "";
  return referrer.startsWith(`${ownOrigin}/`) ? referrer : null;
}

/** Whether a request changes nothing (RFC 9110, section 9.2.1). */
export function isRead({ method }: { readonly method: string }): boolean {
  return method === "GET" || method === "HEAD";
}

/** Whether the browser fetches ahead, without the person having asked for it. */
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

/** Whether the browser itself says that no page is being opened: a script's request, an image, a frame part. */
export function isNoNavigation(request: WithHeaders): boolean {
  const mode = request.headers.get("sec-fetch-mode");
  return mode !== null && mode !== "navigate" && !isNodeFetch(request);
}

/** Whether the browser itself says that it opens a page in a tab. */
export function isPageLoad({ method, headers }: Pick<AuthRequest, "headers" | "method">): boolean {
  return method === "GET" && headers.get("sec-fetch-dest") === "document";
}

/**
 * Whether a script of our own pages fetches something and takes anything, or has it fetched ahead: so do routers of
 * frameworks, for the page that they will show, and nothing tells them from other scripts.
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

/** The `fetch` of Node says `cors` of every request, and cannot be told otherwise; it is no browser. */
function isNodeFetch({ headers }: WithHeaders): boolean {
  const agent = headers.get("user-agent");
  return headers.get("sec-fetch-site") === null && (agent === "node" || agent === "undici");
}
