import type { PathRule } from "../../config/access-rule.ts";
import type { Config } from "../../config/config.ts";
import type { AuthRequest, ClientNavigation, HostRequest } from "../../http/auth-request.ts";
import {
  isNoNavigation,
  isPageLoad,
  isPrefetch,
  isRead,
  referringPage,
} from "../../http/fetch-metadata.ts";
import {
  foldCase,
  homeTarget,
  isUnder,
  parseTarget,
  pathInterpretations,
  type RequestTarget,
} from "../../http/request-target.ts";
import { json, redirect, type ResponseParts } from "../../http/response-parts.ts";
import { appPath, loginURL } from "../addresses.ts";

/** The response to an API request without a session (specification, section 8). */
export const notAuthenticated: ResponseParts = json(
  {
    error: "not_authenticated",
    description: "The user does not have an active session or is not authenticated",
  },
  401,
);

/**
 * Whether a target needs no sign-in: only where every way in which a server might read it is public.
 * An absolute target is also read as a path, as naive servers do; no such path is public.
 */
export function isPublic(config: Config, { path, authority }: RequestTarget): boolean {
  if (authority !== null) return false;
  const interpretations = pathInterpretations(appPath(config, path));
  return interpretations?.every((each) => isPublicPath(config, each)) === true;
}

/** Exempt are the auth routes, the pages for people, the framework's own files, and what the app names. */
function isPublicPath({ routes, pagesPrefix, publicPaths }: Config, path: string): boolean {
  return (
    isUnder(routes.prefix, path) ||
    path === routes.login ||
    path === routes.callback ||
    isUnder(pagesPrefix, path) ||
    isUnder("/_next", path) ||
    path === "/favicon.ico" ||
    publicPaths.some((each) =>
      each.endsWith("/") && each !== "/" ? isUnder(each, path) : path === each,
    )
  );
}

/**
 * The rules for a target. Where a router might read it as a path below that of a rule, the rule counts: routers
 * may ignore the case of letters, also in the base path, a slash and `.html` at the end.
 */
export function pathRulesOver<Session>(
  config: Config,
  rules: readonly PathRule<Session>[],
  { path }: RequestTarget,
): readonly PathRule<Session>[] {
  if (rules.length === 0) return rules;
  const interpretations = pathInterpretations(path);
  // Nothing may be concluded from the path: then every rule counts.
  if (interpretations === null) return rules;
  const basePath = foldCase(config.basePath);
  const paths = interpretations
    .map(foldCase)
    .flatMap((each) => [each, appPath({ basePath }, each)])
    .flatMap((each) => [each, each.replace(/\.html$/, "")]);
  return rules.filter((rule) => paths.some((each) => isUnder(rule.path, each)));
}

type GuardedRequest = AuthRequest & Pick<HostRequest, "clientNavigation">;

/**
 * Answers a request that needs a session and has none: 401 for an API path and for what is no navigation,
 * else the way to login and back.
 */
export function requireSignIn(
  config: Config,
  request: GuardedRequest,
  target: RequestTarget,
): ResponseParts {
  if (!asksForPage(config, request, target)) return notAuthenticated;
  const returnTo = shownAddress(config, request, target);
  const location = loginURL(config, { returnTo, fragment: fragmentToAsk(config, request) });
  return leadTo(location, isRead(request) ? 302 : 303, request.clientNavigation);
}

/** Whether a person opens a page: nothing else can follow a redirect to the provider. */
export function asksForPage(
  config: Config,
  request: GuardedRequest,
  target: RequestTarget,
): boolean {
  const { isForData = false, lead } = request.clientNavigation ?? {};
  if (isForData) return true;
  // What tells a client where to go starts nothing, also where it fetches ahead.
  return !isAPI(config, target) && (lead !== undefined || isForPage(request));
}

function isAPI(config: Config, { path }: RequestTarget): boolean {
  const ownPath = appPath(config, path);
  const interpretations = pathInterpretations(ownPath) ?? [ownPath];
  return interpretations.some((each) => isUnder("/api", each));
}

/** For a script, an image or a prefetch a redirect to the provider would be of no use, and start a login. */
function isForPage(request: GuardedRequest): boolean {
  const isNavigation = request.clientNavigation !== undefined || !isNoNavigation(request);
  return isNavigation && !isPrefetch(request);
}

/** Only a browser that loads a page can tell its fragment. */
export function fragmentToAsk(config: Config, request: GuardedRequest): "ask" | undefined {
  return config.keepFragment && isPageLoad(request) ? "ask" : undefined;
}

/** A redirect, as the client of a request understands it. */
export function leadTo(
  location: string,
  status: 302 | 303,
  { headers = [], lead }: ClientNavigation = {},
): ResponseParts {
  const parts = lead?.(location) ?? redirect(location, status);
  return { ...parts, headers: [...parts.headers, ...headers] };
}

/** The address to come back to; a client of a framework may ask for something else than the page that it will show. */
export function shownAddress(
  config: Config,
  request: GuardedRequest,
  target: RequestTarget,
): string {
  const page = request.clientNavigation?.page;
  if (page !== undefined) return pageAddress(config, parseTarget(page) ?? homeTarget);
  return pageAddress(config, (isRead(request) ? null : formPage(config, request)) ?? target);
}

/** The page with the form that is posted: there may be none where it is posted to. */
function formPage({ origin, basePath }: Config, request: GuardedRequest): RequestTarget | null {
  const page = parseTarget(referringPage(request, origin) ?? "");
  return page !== null && isUnder(basePath, page.path) ? page : null;
}

/** The address of a page, to come back to: a path, or absolute where the path alone would lead elsewhere. */
function pageAddress(config: Config, target: RequestTarget): string {
  const url = pageURL(config, target);
  const path = url.slice(config.origin.length);
  // Some paths are an address of their own, `//elsewhere` for one: those are only safe behind our origin.
  const isPlain = /^\/(?![/\\.%])/.test(path) || path === "/";
  return isPlain ? path : url;
}

/** The address of a page with our origin. */
export function pageURL(config: Config, { path, query }: RequestTarget): string {
  const appURL = config.origin + config.basePath + appPath(config, path);
  return appURL.replaceAll("\\", "%5C") + query;
}
