import { anonymous } from "../access/anonymous.ts";
import type { RequestAuth } from "../access/request-auth.ts";
import type { Auth } from "../auth.ts";
import { respond } from "../host/respond.ts";
import { type HostRequest, targetOf } from "../http/auth-request.ts";
import { isBuilding } from "./build-variable.ts";

/** A key of React Router's context; `createContext` makes the same. */
interface ContextKey<Value> {
  readonly defaultValue?: Value;
}

/** What is used of the arguments of a middleware. */
interface MiddlewareArguments {
  readonly request: Request;
  readonly context: { set<Value>(key: ContextKey<Value>, value: Value): void };
}

/** A server middleware of React Router. */
export type Middleware = (
  given: MiddlewareArguments,
  next: () => Promise<Response>,
) => Promise<Response>;

/** Who makes this request, for loaders, actions and middleware: `context.get(authContext)`. */
export const authContext: ContextKey<RequestAuth> = {
  // React Router reads it where nothing was set.
  get defaultValue(): never {
    throw new TypeError(
      "Sign-in has not run for this request: app/root.tsx must export `middleware`, whose first is `latchkey(auth)`.",
    );
  },
};

/**
 * Sign-in as the first middleware of the root route: answers the auth routes, guards everything that is not
 * public, and adds the session's headers to the app's response.
 *
 * React Router runs it for addresses that a route matches: the app needs one for `/api/auth/*` and `/_auth/*`
 * without a component, and one for `*`. Pages that the build renders are for everybody.
 */
export function latchkey(auth: Auth): Middleware {
  return ({ request, context }, next) => {
    if (isBuilding("IS_RR_BUILD_REQUEST", "yes")) {
      context.set(authContext, anonymous);
      return next();
    }
    const handle = (passed: Request) => {
      context.set(authContext, auth.of(passed));
      return next();
    };
    return respond(auth.host, request, handle, {
      request: () => pageOf(request),
      rendersPages: true,
    });
  };
}

/** React Router's client asks `/orders.data` for the data of `/orders`, and `/_.data` for those of `/`. */
function pageOf(request: Request): Partial<HostRequest> {
  const target = targetOf(request);
  const [path = "", query = ""] = target.split(/\?(.*)/s);
  if (!path.endsWith(".data")) return {};
  const page = path.replace(/\/_\.data$/, "/").replace(/\.data$/, "");
  return {
    target: page + withoutRoutes(query),
    clientNavigation: {
      headers: [["X-Remix-Reload-Document", "true"]],
      // A fetcher names its route, and its data may be no page; so do a few links.
      loadsDocument: !query.includes("_routes="),
    },
  };
}

/** Which loaders are asked is said in the query, which else is that of the page. */
function withoutRoutes(query: string): string {
  const kept = query.split("&").filter((field) => field !== "" && !field.startsWith("_routes="));
  return kept.length === 0 ? "" : `?${kept.join("&")}`;
}
