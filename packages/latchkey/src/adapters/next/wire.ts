/** What the adapter uses of Next.js 16.4.5 beyond its documentation. */
import { ServerResponse } from "node:http";
import type { cookies } from "next/headers.js";

import { appPath } from "../../config/addresses.ts";
import type { Config } from "../../config/config.ts";
import { AccessTokenError } from "../../errors/access-token-error.ts";
import type { LatchkeyError } from "../../errors/latchkey-error.ts";
import { isPlainFetch } from "../../http/fetch-metadata.ts";
import { cookieName, type HeaderList } from "../../http/headers.ts";
import { isUnder } from "../../http/request-target.ts";
import { type ResponseParts, text } from "../../http/response-parts.ts";
import { NodeHeaders } from "../node-http/node-response.ts";

/**
 * What sends a request: `action` a server action, `data` the router of `pages/`, `router` that of
 * `app/`, `other` anything else. Next hides the headers of its router from the proxy, so the
 * browser's own headers must do.
 * https://github.com/vercel/next.js/blob/v16.4.5/packages/next/src/client/components/app-router-headers.ts
 */
export type Sender = "action" | "data" | "other" | "router";

export function senderOf(request: Request): Sender {
  const { method, headers } = request;
  if (headers.has("next-action")) return "action";
  if (headers.has("x-nextjs-data")) return "data";
  const takesFlight = headers.get("accept")?.startsWith("text/x-component") === true;
  return isPlainFetch(request) || (method === "GET" && takesFlight) ? "router" : "other";
}

/** The part of a `NextRequest` missing in a `Request`. The locale is empty without `i18n`. */
interface Localized {
  readonly nextUrl?: { readonly locale: string };
}

function localeOf(request: Request & Localized): string {
  return request.nextUrl?.locale ?? "";
}

/**
 * The target as the client sent it. With a base path and `i18n`, Next adds the language of the
 * domain once more before the path: `/de/shop/de/x`.
 * https://github.com/vercel/next.js/blob/v16.4.5/packages/next/src/server/web/next-url.ts
 */
export function sentTarget(request: Request, { basePath }: Config, target: string): string {
  const before = `/${localeOf(request)}`;
  const isNamedTwice = basePath !== "" && isUnder(before + basePath, target);
  return isNamedTwice && before !== "/" ? target.slice(before.length) : target;
}

/**
 * The page of a target: the data and the images of a page have their own addresses, and are guarded
 * as the page. Next writes the query anew, with a plus for a space.
 * https://github.com/vercel/next.js/blob/v16.4.5/packages/next/src/server/web/adapter.ts
 */
export function pageTarget(target: string): string {
  const { pathname, search, searchParams } = new URL(target, "http://localhost");
  const query = search.replaceAll("+", "%20");
  const [base = "", ...data] = pathname.split("/_next/data/");
  const [, page] = /^[^/]+(\/.*)\.json$/.exec(data.join("/_next/data/")) ?? [];
  if (page !== undefined) return `${base}${page === "/index" ? "/" : page}${query}`;
  const image = searchParams.get("url");
  if (/\/_next\/image\/?$/.test(pathname) && image?.startsWith("/") === true) return image;
  return target.slice(0, target.length - search.length) + query;
}

/**
 * The target of the page on screen, if it is another one: the page without its language, or the one
 * replaced by an intercepting route, which has its own address.
 */
export function shownTarget(request: Request, config: Config, target: string): readonly string[] {
  const locale = localeOf(request);
  const [sent = ""] = target.split("?", 1);
  const path = appPath(config, sent);
  const isLocalized = locale !== "" && isUnder(`/${locale.toLowerCase()}`, path.toLowerCase());
  const shown = interceptedPath(isLocalized ? path.slice(locale.length + 1) || "/" : path);
  return shown === path ? [] : [shown + target.slice(sent.length)];
}

/**
 * `(.)` names the same level, `(..)` the one above, `(...)` the root.
 * https://nextjs.org/docs/app/api-reference/file-conventions/intercepting-routes
 */
function interceptedPath(path: string): string {
  return path
    .replace(/^.*\/\(\.{3}\)/, "/")
    .replaceAll("(..)", "../")
    .replaceAll("/(.)", "/");
}

/**
 * A redirect of a server action.
 * https://github.com/vercel/next.js/blob/v16.4.5/packages/next/src/server/app-render/action-handler.ts
 */
export function redirectAction(location: string, headers: HeaderList): ResponseParts {
  return {
    status: 200,
    headers: [...headers, ["X-Action-Redirect", `${location};push`]],
    body: "",
  };
}

/**
 * A response which is no page of Next, so that its router lets the browser open the address. An
 * error would be shown in the console, as would a status without a body with cache components.
 * https://github.com/vercel/next.js/blob/v16.4.5/packages/next/src/client/components/router-reducer/fetch-server-response.ts
 */
export function leaveRouter(headers: HeaderList): ResponseParts {
  return text("", 200, headers);
}

/** Hands the requested target to components and handlers, which cannot see it. */
export const targetHeader = "x-latchkey-target";

/** Present if the response of the proxy renews the session already. */
export const renewedHeader = "x-latchkey-renewed";

/** As `NextResponse.next()`: the application answers the request. */
export function nextResponse(): Response {
  return new Response(null, { headers: { "x-middleware-next": "1" } });
}

/**
 * Changes the headers of the request with which Next goes on, as the option `request.headers` of
 * `NextResponse` does. Next removes each header missing in the list. Ours are never those of the
 * client.
 * https://github.com/vercel/next.js/blob/v16.4.5/packages/next/src/server/web/spec-extension/response.ts
 *
 * @param response - of `NextResponse.next` or `NextResponse.rewrite`; with others Next does not go
 *   on
 */
export function handOn(request: Request, response: Response, changed: HeaderList): void {
  const { headers } = response;
  if (!headers.has("x-middleware-next") && !headers.has("x-middleware-rewrite")) return;
  const given = headers.get("x-middleware-override-headers");
  const sent = given?.split(",") ?? [...request.headers.keys()];
  const kept = sent.filter((name) => !name.startsWith("x-latchkey-"));
  if (given === null) {
    for (const name of kept)
      headers.set(`x-middleware-request-${name}`, request.headers.get(name) ?? "");
  }
  for (const [name, value] of changed) headers.set(`x-middleware-request-${name}`, value);
  const names = new Set([...kept, ...changed.map(([name]) => name)]);
  headers.set("x-middleware-override-headers", [...names].join(","));
}

/** The `Cookie` header of the browser after these `Set-Cookie` values. */
export function cookieHeaderAfter(cookie: string | null, setCookies: readonly string[]): string {
  const written = setCookies.map((line) => line.split(";", 1)[0] ?? "");
  const names = new Set(written.map(cookieName));
  const kept = (cookie ?? "").split(";").map((pair) => pair.trim());
  return [
    ...kept.filter((pair) => pair !== "" && !names.has(cookieName(pair))),
    ...written.filter((pair) => !pair.endsWith("=")),
  ].join("; ");
}

/**
 * Replaces the session cookies set by the proxy on the same response with the later ones of a page.
 * The `setHeader` which Next gives a response would add the proxy's cookies again.
 * https://github.com/vercel/next.js/blob/v16.4.5/packages/next/src/server/lib/patch-set-header.ts
 */
export function replaceCookies(outgoing: ServerResponse, written: readonly string[]): void {
  if (written.length === 0) return;
  const names = new Set(written.map(cookieName));
  const others = new NodeHeaders(outgoing)
    .getSetCookie()
    .filter((line) => !names.has(cookieName(line)));
  ServerResponse.prototype.setHeader.call(outgoing, "Set-Cookie", [...others, ...written]);
}

/** The cookies of the current request. */
export type CookieStore = Awaited<ReturnType<typeof cookies>>;

/**
 * Whether cookies can only be read, as in a component: then `set` and `delete` are one function,
 * which throws.
 * https://github.com/vercel/next.js/blob/v16.4.5/packages/next/src/server/web/spec-extension/adapters/request-cookies.ts
 */
export function isReadOnly(jar: CookieStore | null): boolean {
  return jar !== null && (jar.set as unknown) === jar.delete;
}

/**
 * Marks a refusal as an error of Next, which redirects or shows its page for 401 and 403. Next
 * knows its errors by their digest.
 * https://github.com/vercel/next.js/blob/v16.4.5/packages/next/src/client/components/http-access-fallback/http-access-fallback.ts
 *
 * @param location - the target of a redirect, `null` if there is none
 */
export function throwAsNext(error: LatchkeyError, location: string | null): void {
  if (location !== null) throw Object.assign(error, { digest: redirectDigest(location) });
  const needsSignIn = error instanceof AccessTokenError && error.needsSignIn;
  const { status } = needsSignIn ? { status: 401 } : (error as { readonly status?: unknown });
  if (status === 401 || status === 403)
    throw Object.assign(error, { digest: `NEXT_HTTP_ERROR_FALLBACK;${status}` });
}

/**
 * Whether the app has set `experimental.authInterrupts`, so that Next shows its `forbidden.tsx`.
 * Without it, Next shows an empty page. The build puts the setting in the place of this variable.
 * https://github.com/vercel/next.js/blob/v16.4.5/packages/next/src/build/define-env.ts
 */
export function hasAuthInterrupts(): boolean {
  // oxlint-disable-next-line no-underscore-dangle -- the name of Next
  return Boolean(process.env.__NEXT_EXPERIMENTAL_AUTH_INTERRUPTS);
}

/** The error thrown by `redirect()` of Next. */
export function redirectError(location: string): Error {
  return Object.assign(new Error("Redirected"), { digest: redirectDigest(location) });
}

function redirectDigest(location: string): string {
  return `NEXT_REDIRECT;replace;${location};307;`;
}
