import { anonymous } from "../../host/anonymous.ts";
import type { RequestAuth } from "../../host/request-auth.ts";
import type { Auth } from "../../index.ts";
import { respond } from "../../host/respond.ts";
import type { MaybePromise } from "../../time/maybe-promise.ts";
import {
  addSession,
  carriesFunctionError,
  functionClient,
  isPrerendering,
  isServerFunction,
  redirectFunction,
  type Rewrite,
  rewrittenTarget,
} from "./wire.ts";

/** The used part of the arguments of a request middleware. */
interface MiddlewareArguments<Result> {
  readonly request: Request;
  readonly next: (added: {
    readonly context: { readonly auth: RequestAuth };
  }) => MaybePromise<Result>;
  /**
   * The `rewrite` of the router, if it has one, so that the rules of the page on screen count too.
   */
  readonly rewrite?: Rewrite;
}

/**
 * Sign-in as the first request middleware: answers the auth routes, guards everything else unless
 * it is public, and adds the session's headers to the app's response. The build renders pages
 * signed out.
 *
 * Server functions, server routes and other middleware read the user from `context.auth`. TanStack
 * infers its type if the two arguments are named:
 * `createMiddleware().server(({ request, next }) => latchkey(auth, { request, next }))`.
 */
export async function latchkey<Result extends { readonly response: Response }>(
  auth: Auth,
  { request, next, rewrite }: MiddlewareArguments<Result>,
): Promise<Result | Response> {
  if (isPrerendering()) return next({ context: { auth: anonymous } });
  const isFunction = isServerFunction(request);
  const handle = async (passed: Request) => {
    const { response } = await next({ context: { auth: auth.of(passed) } });
    return response;
  };
  try {
    const response = await respond(auth.host, request, handle, {
      request: (config) => ({
        otherTargets: rewrittenTarget(rewrite, request, config),
        pageClient: isFunction ? functionClient(request, config.origin) : undefined,
      }),
      rendersPages: true,
      ...(isFunction && { carriesError: carriesFunctionError }),
    });
    return isFunction ? redirectFunction(response) : response;
  } catch (error) {
    throw addSession(error, auth.host.admittedOf(request));
  }
}
