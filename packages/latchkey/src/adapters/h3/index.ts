import type { H3Event, Middleware } from "h3";

import { anonymous } from "../../host/anonymous.ts";
import type { RequestAuth } from "../../host/request-auth.ts";
import type { Auth } from "../../index.ts";
import { respond } from "../../host/respond.ts";
import { assertAuth } from "../assert-auth.ts";
import { type NitroApp, refuseUpgrade, requestOf, responseTo, watchForCache } from "./wire.ts";

declare module "h3" {
  interface H3EventContext {
    /** The session and user of this request, set by `latchkey(auth)`. */
    auth: RequestAuth;
  }
}

/**
 * Sign-in as one middleware: answers the auth routes, guards everything else unless it is public,
 * and adds the session's headers to the app's response.
 *
 * Handlers read the user from `event.context.auth`. Cached handlers run signed out, since all users
 * share their responses.
 */
export function latchkey(auth: Auth): Middleware {
  assertAuth(auth);
  return async (event, next) => {
    const isInner = auth.host.admittedOf(event.req) !== undefined;
    const handle = (): Promise<Response> => {
      offerAuth(event, auth.of(event.req));
      const response = responseTo(event, next);
      return isInner
        ? response.catch((error: unknown) => leaveToPlugin(event.req, error))
        : response;
    };
    const request = () => requestOf(event);
    return refuseUpgrade(event.req, await respond(auth.host, event.req, handle, { request }));
  };
}

function offerAuth(event: H3Event, auth: RequestAuth): void {
  const isForCache = watchForCache(event);
  Object.defineProperty(event.context, "auth", {
    configurable: true,
    enumerable: true,
    get: () => (isForCache() ? anonymous : auth),
  });
}

/** Requests that a handler refused behind {@link latchkeyPlugin}. */
const refused = new WeakSet<Request>();

/** h3 would print the error. The plugin replaces this response by one to the error. */
function leaveToPlugin(request: Request, error: unknown): Response {
  refused.add(request);
  const { status = 500 } = error as { readonly status?: number };
  return new Response(null, { status });
}

interface PluginOptions {
  /** Whether the build prerenders pages: no setting is read then. */
  readonly prerender?: boolean | undefined;
}

/**
 * Sign-in as a plugin of Nitro 3, for a file in `server/plugins`. It stands around everything
 * served by Nitro, and first in the stack of h3, so that caches and handlers stand behind it.
 */
export function latchkeyPlugin(
  auth: Auth,
  { prerender = false }: PluginOptions = {},
): (nitroApp: NitroApp) => void {
  assertAuth(auth);
  return (nitroApp) => {
    if (prerender) return;
    const { fetch, h3 } = nitroApp;
    if (h3 === undefined) throw new TypeError("latchkeyPlugin needs Nitro 3 with its h3 app.");
    nitroApp.fetch = async (request) => {
      const carriesError = async () => refused.has(request);
      return refuseUpgrade(request, await respond(auth.host, request, fetch, { carriesError }));
    };
    h3["~middleware"].unshift(latchkey(auth));
  };
}
