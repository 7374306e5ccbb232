import { appPath } from "../../access/addresses.ts";
import { notAuthenticated } from "../../access/guard/guard.ts";
import type { Config } from "../../config/config.ts";
import type { HostRequest } from "../../http/auth-request.ts";
import { isPlainFetch, isPrefetch } from "../../http/fetch-metadata.ts";
import { empty } from "../../http/response-parts.ts";
import { clientHeader } from "./client.ts";
import type { RoutedContext } from "./rewritten-target.ts";

/**
 * Astro's router loads the document where it gets anything but HTML; a 401 would be an error in the console. It also has
 * pages fetched ahead, and asks for them a moment later: the browser may give it the response of that. In place of an
 * island that does not come, the page shows its fallback; the browser fetches it ahead, too.
 *
 * Login and logout lead to the provider, where no script can go: asked by HEAD they do nothing, and the router loads the
 * document, for a form as well.
 */
export function navigationOf(
  { request, routePattern, url }: RoutedContext,
  { basePath, routes }: Config,
): Partial<HostRequest> {
  const isOfClient = request.headers.has(clientHeader);
  const path = appPath({ basePath }, url.pathname.replace(/\/$/, ""));
  if (isOfClient && (path === routes.login || path === routes.logout)) return { method: "HEAD" };
  const isIsland = routePattern === "/_server-islands/[name]";
  const isFetched = isPlainFetch(request);
  if ((isFetched && isPrefetch(request)) || (isIsland && (isFetched || isOfClient))) {
    return { clientNavigation: { lead: () => empty(204) } };
  }
  return isOfClient && request.method === "GET"
    ? { clientNavigation: { lead: () => ({ ...notAuthenticated, status: 200 }) } }
    : {};
}
