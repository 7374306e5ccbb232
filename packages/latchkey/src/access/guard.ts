import { andThen, type Awaitable } from "../awaitable.ts";
import type { Config } from "../config/config.ts";
import type { Context } from "../context.ts";
import { type Answer, json, redirect } from "../http/answers.ts";
import { isNoNavigation, isPrefetch } from "../http/fetch-metadata.ts";
import type { HeaderList } from "../http/headers.ts";
import { isUnder, pathAndQueryOf, pathOf, readingsOfPath } from "../http/request-path.ts";
import type { OpenVisit, Visit } from "../session/visit.ts";
import { appPath, loginURL } from "./addresses.ts";
import { visitRequest } from "./visit-request.ts";

/** Whether a request may go on to the app. `visit` is absent where the path needs no sign-in. */
export type GuardedRequest =
  | { readonly passed: true; readonly visit?: Visit }
  | { readonly passed: false; readonly answer: Answer };

/** The answer to an API request without a session (specification, section 8). */
const notAuthenticated = {
  error: "not_authenticated",
  description: "The user does not have an active session or is not authenticated",
};

/**
 * Route protection: public paths pass; with a session everything passes; without one an API path is answered
 * 401, a page is redirected to login with the way back.
 */
export function guardRequest(context: Context, request: Request): Awaitable<GuardedRequest> {
  const { config } = context;
  const readings = readingsOfPath(appPath(config, pathOf(request.url)));
  if (readings?.every((reading) => isPublic(config, reading)) === true) return { passed: true };
  const isAPI = readings?.some((reading) => isUnder("/api", reading)) === true;
  return andThen(visitRequest(context, request), (visit) =>
    visit.session === null
      ? { passed: false, answer: notSignedIn(config, request, { visit, isAPI }) }
      : { passed: true, visit },
  );
}

function notSignedIn(
  config: Config,
  request: Request,
  { visit: { headers }, isAPI }: { readonly visit: OpenVisit; readonly isAPI: boolean },
): Answer {
  return isAPI || isNoPage(request)
    ? json(notAuthenticated, 401, headers)
    : toLogin(config, request, headers);
}

/** Exempt are the auth routes, the pages for people, the framework's own files, and what the app names. */
function isPublic({ routes, pagesPrefix, publicPaths }: Config, path: string): boolean {
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

/** A script, an image or a prefetch asks: a redirect to the provider would be of no use, and start a login. */
function isNoPage(request: Request): boolean {
  return isNoNavigation(request) || isPrefetch(request);
}

function toLogin(config: Config, request: Request, headers: HeaderList): Answer {
  const isRead = request.method === "GET" || request.method === "HEAD";
  const path = pathOf(request.url);
  const query = pathAndQueryOf(request.url).slice(path.length);
  const returnTo = config.basePath + appPath(config, path) + query;
  return redirect(loginURL(config, { returnTo }), isRead ? 302 : 303, headers);
}
