import { anonymous } from "../access/anonymous.ts";
import type { RequestAuth } from "../access/request-auth.ts";
import type { Auth } from "../auth.ts";
import type { Config } from "../config/config.ts";
import { respond } from "../host/respond.ts";
import type { AdmittedRequest } from "../host/host.ts";
import { referringPage } from "../http/fetch-metadata.ts";
import { addHeaders } from "../http/headers.ts";
import { isUnder } from "../http/request-target.ts";
import { redirectAsJSON } from "../http/response-parts.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import { isBuilding } from "./build-variable.ts";

/** What is used of the option `rewrite` of TanStack's router. */
interface Rewrite {
  /** The address that the router reads in place of the one that was asked for. */
  readonly input?: (asked: { readonly url: URL }) => URL | string | undefined;
}

/** What a request middleware of TanStack Start is given, as far as it is used here. */
interface MiddlewareArguments<Result> {
  readonly request: Request;
  readonly next: (added: {
    readonly context: { readonly auth: RequestAuth };
  }) => MaybePromise<Result>;
  /** That of the router, where it has one: then the rules of the page count that it shows. */
  readonly rewrite?: Rewrite;
}

/**
 * Sign-in as the first request middleware: answers the auth routes, guards everything that is not public, and adds
 * the session's headers to the app's response.
 *
 * Pages that the build renders are for everybody.
 *
 * Server functions, server routes and other middleware find who makes the request in `context.auth`. TanStack infers
 * its type where the two arguments are named:
 * `createMiddleware().server(({ request, next }) => latchkey(auth, { request, next }))`.
 */
export async function latchkey<Result extends { readonly response: Response }>(
  auth: Auth,
  { request, next, rewrite }: MiddlewareArguments<Result>,
): Promise<Result | Response> {
  if (isBuilding("TSS_PRERENDERING", "true")) return next({ context: { auth: anonymous } });
  const handle = async (passed: Request) => {
    const { response } = await next({ context: { auth: auth.of(passed) } });
    return response;
  };
  try {
    const isOfClient = request.headers.get("x-tsr-serverfn") === "true";
    const response = await respond(auth.host, request, handle, {
      request: () => ({
        rewrittenTarget: targetAfter(rewrite, request, auth.config),
        // The client calls server functions for the page in the address bar.
        clientNavigation: isOfClient
          ? { page: referringPage(request, auth.config.origin) ?? "/" }
          : undefined,
      }),
      rendersPages: true,
      // What a server function throws comes with status 200, as the one member of an object.
      errorMark: isOfClient ? '"k":["error"]' : undefined,
    });
    return isOfClient ? redirectAsJSON(response, redirectOf) : response;
  } catch (error) {
    throw withSession(error, auth.host.admittedOf(request));
  }
}

/** The target that the router reads, which takes the base path away first, and ignores its case. */
function targetAfter(
  rewrite: Rewrite | undefined,
  request: Request,
  { basePath }: Config,
): string | undefined {
  const url = new URL(request.url);
  if (isUnder(basePath.toLowerCase(), url.pathname.toLowerCase()))
    url.pathname = url.pathname.slice(basePath.length);
  const { pathname: asked } = url;
  const { pathname, search } = new URL(rewrite?.input?.({ url }) ?? url);
  return pathname === asked ? undefined : pathname + search;
}

/** TanStack's error page has the headers of the error. */
function withSession(error: unknown, admitted: AdmittedRequest | undefined): unknown {
  if (!(error instanceof Error) || !Object.isExtensible(error) || admitted === undefined)
    return error;
  const headers = new Headers("headers" in error ? (error.headers as HeadersInit) : undefined);
  addHeaders(headers, admitted.commit());
  return Object.assign(error, { headers });
}

/** The client takes this for a redirect that was thrown, and loads the document. */
function redirectOf(href: string, statusCode: number) {
  return { href, statusCode, reloadDocument: true, isSerializedRedirect: true };
}
