import { appPath, isLogin, isOfConnection } from "../../config/addresses.ts";
import type { Config } from "../../config/config.ts";
import { fromFetchRequest, type HostRequest, type PageClient } from "../../http/auth-request.ts";
import { isUnder, parseTarget, pathInterpretations } from "../../http/request-target.ts";
import { redirect, type ResponseParts } from "../../http/response-parts.ts";
import {
  leaveRouter,
  pageTarget,
  redirectAction,
  type Sender,
  senderOf,
  sentTarget,
  shownTarget,
} from "./wire.ts";
import { withoutTrailingSlash } from "../../http/trailing-slash.ts";

/** Headers which replace those of the browser. */
const headersFor: Readonly<Record<Sender, Readonly<Record<string, string>>>> = {
  data: {},
  // Nothing starts before the browser opens the page itself.
  router: { "sec-purpose": "prefetch" },
  action: {},
  other: {},
};

/**
 * A request of Next as a host request.
 *
 * @param config - has the origin of the request, and our own paths
 */
export function hostRequest(request: Request, config: Config, sender: Sender): HostRequest {
  const received = fromFetchRequest(request, config.origin);
  const target = ownTarget(config, pageTarget(sentTarget(request, config, received.target)));
  const replaced = headersFor[sender];
  return {
    ...received,
    target,
    otherTargets: shownTarget(request, config, target),
    url: config.origin + target,
    headers: { get: (name) => replaced[name.toLowerCase()] ?? received.headers.get(name) },
    pageClient: pageClients[sender],
  };
}

/**
 * Whether the handlers of the app answer a request: login, the callback, or a single segment below
 * the auth prefix, with the id of a connection behind it, in every interpretation of the path. Data
 * and images of pages are no such requests.
 */
export function isForRoutes(request: Request, config: Config): boolean {
  const { target, otherTargets = [] } = hostRequest(request, config, senderOf(request));
  const sent = fromFetchRequest(request, config.origin).target;
  const targets = [sent, target, ...otherTargets];
  return !request.headers.has("x-nextjs-data") && targets.every((each) => isOwn(config, each));
}

function isOwn(config: Config, target: string): boolean {
  const { routes } = config;
  const path = parseTarget(target)?.path ?? "/";
  const interpretations = pathInterpretations(appPath(config, path)) ?? ["/"];
  return interpretations
    .map(withoutTrailingSlash)
    .every(
      (each) =>
        each === routes.login ||
        each === routes.callback ||
        (isUnder(routes.prefix, each) && isBelowPrefix(routes, each.slice(routes.prefix.length))),
    );
}

function isBelowPrefix(routes: Config["routes"], rest: string): boolean {
  const { prefix, login, backchannelLogout, frontchannelLogout } = routes;
  const named = [login, `${prefix}/callback`, backchannelLogout, frontchannelLogout];
  return (
    /^\/[^/]+$/.test(rest) || named.some((route) => isOfConnection(route, routes.prefix + rest))
  );
}

/**
 * Next makes of a redirect what its clients follow. The router of `pages/` also prefetches, and
 * follows the redirect when the user opens the page.
 */
const pageClients: Partial<Readonly<Record<Sender, PageClient>>> = {
  action: { leavesForRefusals: true },
  data: { lead: (location) => redirect(location, 302) },
};

/** Removes the slash which Next adds to our paths with `trailingSlash`. */
function ownTarget(config: Config, target: string): string {
  const [, path = "", query = ""] = /^([^?]*[^?/])\/(\?.*)?$/.exec(target) ?? [];
  const own = appPath(config, path);
  const isOurs = isUnder(config.routes.prefix, own) || isUnder(config.pagesPrefix, own);
  return isOurs ? path + query : target;
}

/**
 * Turns a response which only a browser follows into one for the client of Next.
 *
 * @param target - as {@link hostRequest} has found it
 */
export function forNextClient(
  config: Config,
  { sender, target }: { readonly sender: Sender; readonly target: string },
  parts: ResponseParts,
): ResponseParts {
  const { routes } = config;
  const { status, headers } = parts;
  const location = headers.find(([name]) => name === "Location")?.[1];
  const rest = headers.filter(([name]) => name !== "Location" && name !== "Content-Type");
  if (sender === "action" && location !== undefined) return redirectAction(location, rest);
  const path = appPath(config, target.split("?", 1)[0] ?? "");
  const isRefused = status === 401 && !isUnder("/api", path);
  const isStart = status === 204 && (isLogin({ routes }, path) || path === routes.logout);
  return sender === "router" && (isRefused || isStart) ? leaveRouter(rest) : parts;
}
