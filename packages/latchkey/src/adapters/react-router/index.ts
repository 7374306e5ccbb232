import { anonymous } from "../../host/anonymous.ts";
import type { RequestAuth } from "../../host/request-auth.ts";
import type { Auth } from "../../index.ts";
import { respond } from "../../host/respond.ts";
import { dataRequest, isPrerendering } from "./wire.ts";

/** A key of React Router's context, as its `createContext` makes it. */
interface ContextKey<Value> {
  readonly defaultValue?: Value;
}

/** The used part of the arguments of a middleware. */
interface MiddlewareArguments {
  readonly request: Request;
  readonly context: { set<Value>(key: ContextKey<Value>, value: Value): void };
}

/** A server middleware of React Router. */
export type Middleware = (
  given: MiddlewareArguments,
  next: () => Promise<Response>,
) => Promise<Response>;

/**
 * The session and user of a request, for loaders, actions and middleware:
 * `context.get(authContext)`.
 */
export const authContext: ContextKey<RequestAuth> = {
  // React Router reads it if no value was set.
  get defaultValue(): never {
    throw new TypeError(
      "Sign-in has not run for this request: app/root.tsx must export `middleware`, whose first is `latchkey(auth)`.",
    );
  },
};

/**
 * Sign-in as the first middleware of the root route: answers the auth routes, guards everything
 * else unless it is public, and adds the session's headers to the app's response. The build renders
 * pages signed out.
 *
 * React Router runs it for addresses with a route: the app needs one for `/api/auth/*` and
 * `/_auth/*` without a component, and one for `*`.
 */
export function latchkey(auth: Auth): Middleware {
  return ({ request, context }, next) => {
    if (isPrerendering()) {
      context.set(authContext, anonymous);
      return next();
    }
    const handle = (passed: Request) => {
      context.set(authContext, auth.of(passed));
      return next();
    };
    return respond(auth.host, request, handle, {
      request: () => dataRequest(request),
      rendersPages: true,
    });
  };
}
