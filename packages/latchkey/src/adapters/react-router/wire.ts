/** What the adapter uses of React Router 8.4.0 beyond its documentation. */
import { type HostRequest, targetOf } from "../../http/auth-request.ts";
import { isPrefetch } from "../../http/fetch-metadata.ts";
import { redirect } from "../../http/response-parts.ts";
import { isBuilding } from "../build-variable.ts";

/**
 * The build sets this variable while it prerenders.
 * https://github.com/remix-run/react-router/blob/react-router@8.4.0/packages/react-router-dev/vite/plugin.ts
 */
export function isPrerendering(): boolean {
  return isBuilding("IS_RR_BUILD_REQUEST", "yes");
}

/**
 * The page of a data request. The client requests `/orders.data` for the data of `/orders`, and
 * `/_.data` for those of `/`.
 * https://github.com/remix-run/react-router/blob/react-router@8.4.0/packages/react-router/lib/dom/ssr/single-fetch.tsx
 */
export function dataRequest(request: Request): Partial<HostRequest> {
  const target = targetOf(request);
  const [path = "", query = ""] = target.split(/\?(.*)/s);
  if (!path.endsWith(".data")) return {};
  const page = path.replace(/\/_\.data$/, "/").replace(/\.data$/, "");
  return {
    target: page + withoutRoutes(query),
    pageClient: {
      ...(!isPrefetch(request) && { lead: reloadDocument }),
      // A fetcher, and a few links, name their route. Its data may belong to no page.
      loadsDocument: !query.includes("_routes="),
    },
  };
}

/** The query names the requested loaders. The rest of it is the query of the page. */
function withoutRoutes(query: string): string {
  const kept = query.split("&").filter((field) => field !== "" && !field.startsWith("_routes="));
  return kept.length === 0 ? "" : `?${kept.join("&")}`;
}

/** With the header of `redirectDocument`, the client loads the document. */
function reloadDocument(location: string, status: 302 | 303) {
  return redirect(location, status, [["X-Remix-Reload-Document", "true"]]);
}
