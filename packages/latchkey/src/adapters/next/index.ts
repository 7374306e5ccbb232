import type { IncomingMessage, ServerResponse } from "node:http";

import type { RequestAuth } from "../../host/request-auth.ts";
import type { Session } from "../../index.ts";
import { type GivenOptions, optionsWithStore } from "../environment/auth-from-environment.ts";
import { createPagesRequests } from "./pages-auth.ts";
import { createProxy, type OwnProxy, type Proxy } from "./proxy.ts";
import { authOf, createCurrentRequest } from "./current-request.ts";
import { createHandlers, createRoute } from "./route.ts";
import { noteProxy, sharedAuth, warnWithoutProxy } from "./shared-auth.ts";

export type { GivenOptions } from "../environment/auth-from-environment.ts";
export { createNextHost, type NextHost, type RouteOptions } from "./next-host.ts";
export { redirectError } from "./wire.ts";

/** A session as the browser may know it; `now` in epoch seconds. */
export interface InitialSession extends Pick<Session, "user" | "times"> {
  readonly now: number;
}

/** Sign-in for an app of Next.js. */
export interface NextSignIn {
  /** Who makes the request: in server components, server actions, and route handlers. */
  auth(): Promise<RequestAuth>;
  /** The same in `pages/`: for `getServerSideProps` and API routes. */
  auth(request: IncomingMessage, response: ServerResponse): Promise<RequestAuth>;
  /**
   * Returns the initial value of `SignInProvider` of `latchkey/react`, so that the first paint
   * shows the user.
   */
  readonly initialSession: () => Promise<InitialSession | null>;
  /** For `proxy.ts`: sign-in in front of the app. */
  readonly proxy: Proxy;
  /** For a `proxy.ts` with its own logic, which is called for admitted requests. */
  readonly protect: (own: OwnProxy) => Proxy;
  /** For route handlers: puts the session's headers on the response, and responds to refusals. */
  readonly route: ReturnType<typeof createRoute>;
  /** For `app/api/auth/[...latchkey]/route.ts` in apps without `proxy.ts`. */
  readonly handlers: ReturnType<typeof createHandlers>;
}

/**
 * Creates the sign-in described by the `LATCHKEY_` variables. Options given here come first.
 *
 * Opens and checks nothing, so that a build needs no setting: the first request does.
 */
export function latchkey(options: GivenOptions = {}): NextSignIn {
  const signIn = sharedAuth(optionsWithStore(process.env, options));
  let hasHandlers = false;
  const current = createCurrentRequest(signIn, () => hasHandlers || warnWithoutProxy(signIn));
  const pages = createPagesRequests(signIn);
  const protect = (own: OwnProxy): Proxy => {
    const proxy = createProxy(signIn, own);
    return (request) => {
      noteProxy(signIn);
      return proxy(request);
    };
  };
  return {
    auth: async (request?: IncomingMessage, response?: ServerResponse) =>
      request === undefined || response === undefined
        ? authOf(current)
        : (await pages(request, response)).auth,
    initialSession: async () => initialSessionOf(await authOf(current), signIn.now()),
    proxy: protect(() => undefined),
    protect,
    route: createRoute(signIn, current),
    get handlers() {
      hasHandlers = true;
      return createHandlers(signIn);
    },
  };
}

/** @param now - by the clock of the sign-in, in epoch seconds: the browser counts from it */
function initialSessionOf({ session }: RequestAuth, now: number): InitialSession | null {
  if (session === null) return null;
  const { user, times } = session;
  return { user, times, now };
}
