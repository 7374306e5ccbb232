/** What the adapter uses of Astro 7.3.5 beyond its documentation. */
import { appPath, isLogin } from "../../config/addresses.ts";
import { notAuthenticated } from "../../request/guard/require-sign-in.ts";
import type { Config } from "../../config/config.ts";
import { isJSONObject, parseJSON } from "../../crypto/json-object.ts";
import type { HostRequest } from "../../http/auth-request.ts";
import { isPlainFetch, isPrefetch } from "../../http/fetch-metadata.ts";
import { empty } from "../../http/response-parts.ts";
import { clientHeader } from "./integration.ts";
import { withoutTrailingSlash } from "../../http/trailing-slash.ts";

/** The part of a context which identifies the page or action that Astro runs. */
export interface RoutedContext {
  readonly request: Request;
  /** The URL of the request, decoded. Astro finds actions by it. */
  readonly url: URL;
  readonly routePattern: string;
  readonly params: Readonly<Record<string, string | undefined>>;
  /** `undefined` without `i18n`. */
  readonly currentLocale?: string | undefined;
}

/**
 * The route of server islands.
 * https://github.com/withastro/astro/blob/astro@7.3.5/packages/astro/src/core/server-islands/endpoint.ts
 */
const islandPattern = "/_server-islands/[name]";

/**
 * A request of Astro's client router. The router loads the document for every response but HTML,
 * while a 401 would be an error in the console. A prefetch gets a 204, since the browser may reuse
 * its response; so does an island, which the page then replaces by its fallback.
 *
 * Login and logout lead to the provider, which no script can follow. As HEAD they do nothing, and
 * the router loads the document, for a form as well.
 * https://github.com/withastro/astro/blob/astro@7.3.5/packages/astro/src/transitions/router.ts
 */
export function clientRequest(
  { request, routePattern, url }: RoutedContext,
  config: Config,
): Partial<HostRequest> {
  const { basePath, routes } = config;
  const isOfClient = request.headers.has(clientHeader);
  const path = appPath({ basePath }, withoutTrailingSlash(url.pathname));
  if (isOfClient && (isLogin({ routes }, path) || path === routes.logout))
    return { method: "HEAD" };
  const isIsland = routePattern === islandPattern;
  const isFetched = isPlainFetch(request);
  if ((isFetched && isPrefetch(request)) || (isIsland && (isFetched || isOfClient))) {
    return { pageClient: { lead: () => empty(204) } };
  }
  return isOfClient && request.method === "GET"
    ? { pageClient: { lead: () => ({ ...notAuthenticated(config), status: 200 }) } }
    : {};
}

/** The route of actions called by a script. */
const actionPattern = "/_actions/[...path]";

/**
 * The address of an action. Astro runs it at every address that ends in `/_actions/` and its name,
 * and at every page whose query names it. The sent address and this one are both guarded.
 * https://github.com/withastro/astro/blob/astro@7.3.5/packages/astro/src/actions/runtime/server.ts
 */
export function actionTarget({ request, url, routePattern }: RoutedContext): readonly string[] {
  if (routePattern === actionPattern) {
    return [url.pathname.slice(url.pathname.lastIndexOf("/_actions/"))];
  }
  const name = request.method === "POST" ? url.searchParams.get("_action") : null;
  return name === null ? [] : [`/_actions/${name}`];
}

/** The `error.code` of an action in the browser. */
const codes: Readonly<Record<number, string>> = { 401: "UNAUTHORIZED", 403: "FORBIDDEN" };

/**
 * Our refusal of an action as an error of Astro: only then its client reports code and text. Other
 * responses, and those of the action itself, stay as they are.
 * https://github.com/withastro/astro/blob/astro@7.3.5/packages/astro/src/actions/runtime/client.ts
 */
export async function toActionError(
  { routePattern }: RoutedContext,
  response: Response,
): Promise<Response> {
  const { status } = response;
  const code = codes[status];
  const isJSON = response.headers.get("content-type")?.startsWith("application/json") === true;
  if (routePattern !== actionPattern || code === undefined || !isJSON) return response;
  const body = parseJSON(await response.clone().text());
  if (!isJSONObject(body) || "type" in body) return response;
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  const message = body["description"];
  return Response.json({ ...body, type: "AstroActionError", code, message }, { status, headers });
}

/**
 * The target of the page which `i18n.fallback` shows in place of one missing in a language. The
 * route pattern is that of the shown page.
 * https://docs.astro.build/en/guides/internationalization/#fallback
 */
export function fallbackTarget(
  config: Config,
  { currentLocale, params, routePattern, url }: RoutedContext,
): readonly string[] {
  if (currentLocale === undefined) return [];
  const page = routePattern.replaceAll(
    /\[(?:\.{3})?([^\]]+)\]/g,
    (_, name: string) => params[name] ?? "",
  );
  const path = appPath(config, url.pathname);
  const isFallback =
    page === "/"
      ? path !== "/"
      : !path.startsWith(page) && path.startsWith(page, path.indexOf("/", 1));
  return isFallback ? [encodeURI(page) + url.search] : [];
}
