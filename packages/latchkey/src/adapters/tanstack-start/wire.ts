/** What the adapter uses of TanStack Start 1.169.5 beyond its documentation. */
import type { Config } from "../../config/config.ts";
import type { AdmittedRequest } from "../../host/admitted-request.ts";
import type { PageClient } from "../../http/auth-request.ts";
import { referringPage } from "../../http/fetch-metadata.ts";
import { addHeaders } from "../../http/headers.ts";
import { isUnder } from "../../http/request-target.ts";
import { redirectAsJSON } from "../../http/response-parts.ts";
import { isBuilding } from "../build-variable.ts";

/**
 * The build sets this variable while it prerenders.
 * https://github.com/TanStack/router/blob/main/packages/start-plugin-core/src/prerender.ts
 */
export function isPrerendering(): boolean {
  return isBuilding("TSS_PRERENDERING", "true");
}

/**
 * Whether the client calls a server function.
 * https://github.com/TanStack/router/blob/main/packages/start-client-core/src/client-rpc/serverFnFetcher.ts
 */
export function isServerFunction({ headers }: Request): boolean {
  return headers.get("x-tsr-serverfn") === "true";
}

/**
 * The client calls server functions for the page in the address bar, which only the referrer names.
 */
export function functionClient(request: Request, origin: string): PageClient {
  return { page: referringPage(request, origin) ?? "/" };
}

/**
 * A server function returns an error with status 200, as the one member of an object in seroval's
 * JSON.
 * https://github.com/TanStack/router/blob/main/packages/start-server-core/src/server-functions-handler.ts
 */
export async function carriesFunctionError(response: Response): Promise<boolean> {
  return (await response.clone().text()).includes('"k":["error"]');
}

/**
 * The client takes this JSON for a thrown redirect, and loads the document.
 * https://github.com/TanStack/router/blob/main/packages/start-client-core/src/client-rpc/serverFnFetcher.ts
 */
export function redirectFunction(response: Response): Response {
  return redirectAsJSON(response, (href, statusCode) => ({
    href,
    statusCode,
    reloadDocument: true,
    isSerializedRedirect: true,
  }));
}

/** The used part of the option `rewrite` of TanStack's router. */
export interface Rewrite {
  /** Returns the address that the router reads in place of the requested one. */
  readonly input?: (location: { readonly url: URL }) => URL | string | undefined;
}

/**
 * The target read by the router, if it differs. The router first removes the base path, in any case
 * of letters.
 * https://github.com/TanStack/router/blob/main/packages/router-core/src/rewrite.ts
 */
export function rewrittenTarget(
  rewrite: Rewrite | undefined,
  request: Request,
  { basePath }: Config,
): readonly string[] {
  const url = new URL(request.url);
  if (isUnder(basePath.toLowerCase(), url.pathname.toLowerCase()))
    url.pathname = url.pathname.slice(basePath.length);
  const { pathname: requested } = url;
  const { pathname, search } = new URL(rewrite?.input?.({ url }) ?? url);
  return pathname === requested ? [] : [pathname + search];
}

/**
 * Adds the session's headers to an error: TanStack's error page has the headers of the error.
 * https://github.com/TanStack/router/blob/main/packages/start-server-core/src/createStartHandler.ts
 */
export function addSession(error: unknown, admitted: AdmittedRequest | undefined): unknown {
  if (!(error instanceof Error) || !Object.isExtensible(error) || admitted === undefined)
    return error;
  const headers = new Headers("headers" in error ? (error.headers as HeadersInit) : undefined);
  addHeaders(headers, admitted.commit());
  return Object.assign(error, { headers });
}
