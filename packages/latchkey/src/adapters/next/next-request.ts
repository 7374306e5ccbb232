import { appPath } from "../../access/addresses.ts";
import type { Config } from "../../config/config.ts";
import {
  type ClientNavigation,
  fromFetchRequest,
  type HostRequest,
} from "../../http/auth-request.ts";
import { isPlainFetch } from "../../http/fetch-metadata.ts";
import { isUnder } from "../../http/request-target.ts";
import type { HeaderList } from "../../http/headers.ts";
import { redirect, type ResponseParts, text } from "../../http/response-parts.ts";

/**
 * What sends a request: `action` a server action, `data` the router of `pages/`, `router` that of `app/`, and
 * `other` anything else. Next hides its own headers from the proxy; what the browser says of its fetch remains.
 */
export type Asking = "action" | "data" | "other" | "router";

export function askingOf(request: Request): Asking {
  const { method, headers } = request;
  if (headers.has("next-action")) return "action";
  if (headers.has("x-nextjs-data")) return "data";
  const takesFlight = headers.get("accept")?.startsWith("text/x-component") === true;
  return isPlainFetch(request) || (method === "GET" && takesFlight) ? "router" : "other";
}

/** What the engine is told in place of the browser's own words. */
const headersFor: Readonly<Record<Asking, Readonly<Record<string, string>>>> = {
  data: {},
  // Nothing starts before the browser opens the page itself.
  router: { "sec-purpose": "prefetch" },
  action: {},
  other: {},
};

/**
 * A request of Next as a host request.
 *
 * @param config - says on which origin it is read, and which paths are ours
 */
export function hostRequest(request: Request, config: Config, asking: Asking): HostRequest {
  const received = fromFetchRequest(request, config.origin);
  const target = ownTarget(config, pageTarget(sentTarget(request, config, received.target)));
  const replaced = headersFor[asking];
  return {
    ...received,
    target,
    rewrittenTarget: shownTarget(request, config, target),
    url: config.origin + target,
    headers: { get: (name) => replaced[name.toLowerCase()] ?? received.headers.get(name) },
    clientNavigation: navigations[asking],
  };
}

/** Whether sign-in would answer it, at whatever address: login, the callback, and all below the prefix of the routes. */
export function isForRoutes(request: Request, config: Config): boolean {
  const { login, callback, prefix } = config.routes;
  const { target } = hostRequest(request, config, askingOf(request));
  const path = appPath(config, target.split("?", 1)[0] ?? "").replace(/\/$/, "");
  return path === login || path === callback || isUnder(prefix, path);
}

/**
 * The page itself goes to login. Next makes of a redirect what its clients follow; the router of `pages/` also fetches
 * ahead, and follows it when the person does.
 */
const navigations: Partial<Readonly<Record<Asking, ClientNavigation>>> = {
  action: {},
  data: { lead: (location) => redirect(location, 302) },
};

/** Below a path and in another language than its own, Next names the language once more, before the path: `/de/shop/de/x`. */
function sentTarget(request: Request, { basePath }: Config, target: string): string {
  const before = `/${localeOf(request)}`;
  const isNamedTwice = basePath !== "" && isUnder(before + basePath, target);
  return isNamedTwice && before !== "/" ? target.slice(before.length) : target;
}

/** With `trailingSlash` Next gives each of our paths a slash that it does not have. */
function ownTarget(config: Config, target: string): string {
  const [, path = "", query = ""] = /^([^?]*[^?/])\/(\?.*)?$/.exec(target) ?? [];
  const own = appPath(config, path);
  const isOurs = isUnder(config.routes.prefix, own) || isUnder(config.pagesPrefix, own);
  return isOurs ? path + query : target;
}

/** The part of a `NextRequest` that a `Request` does not have; the locale is empty without `i18n`. */
interface Localized {
  readonly nextUrl?: { readonly locale: string };
}

function localeOf(request: Request & Localized): string {
  return request.nextUrl?.locale ?? "";
}

/**
 * The page that Next shows at a target, where that is another one: the page without its language, or the one whose place
 * an intercepting route takes, which has an address of its own.
 */
function shownTarget(request: Request, config: Config, target: string): string | undefined {
  const locale = localeOf(request);
  const [sent = ""] = target.split("?", 1);
  const path = appPath(config, sent);
  const isLocalized = locale !== "" && isUnder(`/${locale.toLowerCase()}`, path.toLowerCase());
  const shown = intercepted(isLocalized ? path.slice(locale.length + 1) || "/" : path);
  return shown === path ? undefined : shown + target.slice(sent.length);
}

/** `(.)` names the same level, `(..)` the one above, `(...)` the root. */
function intercepted(path: string): string {
  return path
    .replace(/^.*\/\(\.{3}\)/, "/")
    .replaceAll("(..)", "../")
    .replaceAll("/(.)", "/");
}

/**
 * Data and images of a page are addresses of their own, and guarded as what they show. Next writes the query anew:
 * a plus stands for a space.
 */
function pageTarget(target: string): string {
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
 * What the client of Next understands in place of a response that only a browser would follow.
 *
 * @param target - that {@link hostRequest} has found
 */
export function forNextClient(
  config: Config,
  { asking, target }: { readonly asking: Asking; readonly target: string },
  parts: ResponseParts,
): ResponseParts {
  const { routes } = config;
  const { status, headers } = parts;
  const location = headers.find(([name]) => name === "Location")?.[1];
  const rest = headers.filter(([name]) => name !== "Location" && name !== "Content-Type");
  if (asking === "action" && location !== undefined) {
    return { status: 200, headers: [...rest, ["X-Action-Redirect", `${location};push`]], body: "" };
  }
  const path = appPath(config, target.split("?", 1)[0] ?? "");
  const isRefused = status === 401 && !isUnder("/api", path);
  const isStart = status === 204 && (path === routes.login || path === routes.logout);
  return asking === "router" && (isRefused || isStart) ? nothing(rest) : parts;
}

/**
 * No page of Next: so its router lets the browser open the address. An error would be shown in the console, and a
 * status without a body is one for it where cache components are on.
 */
function nothing(headers: HeaderList): ResponseParts {
  return text("", 200, headers);
}
