/** The addresses of pages, as users come back to them. */
import { appPath } from "../../config/addresses.ts";
import type { Config } from "../../config/config.ts";
import type { AuthRequest, HostRequest } from "../../http/auth-request.ts";
import { isRead, referringPage } from "../../http/fetch-metadata.ts";
import { homeTarget, isUnder, parseTarget, type RequestTarget } from "../../http/request-target.ts";
import { withoutSecrets } from "../../http/without-secrets.ts";

export type GuardedRequest = AuthRequest & Pick<HostRequest, "pageClient" | "pageURL">;

/**
 * The address to come back to, without secrets; a client of a framework may request something else
 * than its page.
 */
export function shownAddress(
  config: Config,
  request: GuardedRequest,
  target: RequestTarget,
): string {
  return withoutSecrets(pageOf(config, request, target));
}

function pageOf(config: Config, request: GuardedRequest, target: RequestTarget): string {
  const { pageURL: asked } = request;
  if (asked !== undefined) {
    // The page of a form posted to another server.
    return (isRead(request) ? null : referringPage(request, new URL(asked).origin)) ?? asked;
  }
  const page = request.pageClient?.page;
  if (page !== undefined) return pageAddress(config, parseTarget(page) ?? homeTarget);
  return pageAddress(config, (isRead(request) ? null : formPage(config, request)) ?? target);
}

/** The page of a posted form: its action may have none. */
function formPage({ origin, basePath }: Config, request: GuardedRequest): RequestTarget | null {
  const page = parseTarget(referringPage(request, origin) ?? "");
  return page !== null && isUnder(basePath, page.path) ? page : null;
}

/**
 * The address of a page, to come back to: a path, or absolute if the path alone would lead
 * elsewhere.
 */
function pageAddress(config: Config, target: RequestTarget): string {
  const url = pageURL(config, target);
  const path = url.slice(config.origin.length);
  // Some paths are an address of their own, `//elsewhere` for one: those are only safe behind our
  // origin.
  const isPlain = /^\/(?![/\\.%])/.test(path) || path === "/";
  return isPlain ? path : url;
}

/** The address of a page with our origin. */
export function pageURL(config: Config, { path, query }: RequestTarget): string {
  const appURL = config.origin + config.basePath + appPath(config, path);
  return appURL.replaceAll("\\", "%5C") + query;
}
