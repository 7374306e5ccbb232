import { type H3Event, type Middleware, toResponse } from "h3";

import { anonymous } from "../access/anonymous.ts";
import type { RequestAuth } from "../access/request-auth.ts";
import type { Auth } from "../auth.ts";
import { AccessError } from "../errors/access-errors.ts";
import { respond } from "../host/respond.ts";
import { type HostRequest, targetOf } from "../http/auth-request.ts";
import { assertAuth } from "./assert-auth.ts";

declare module "h3" {
  interface H3EventContext {
    /** Who makes this request. `latchkey(auth)` sets it. */
    auth: RequestAuth;
  }
}

/**
 * Sign-in as one middleware: answers the auth routes, guards everything that is not public, and adds the
 * session's headers to what the app answers.
 *
 * Handlers find who makes the request in `event.context.auth`. What a cache keeps is for everybody: nobody is signed in
 * there.
 */
export function latchkey(auth: Auth): Middleware {
  assertAuth(auth);
  return (event, next) => {
    const isInner = auth.host.admittedOf(event.req) !== undefined;
    const handle = (): Promise<Response> => {
      offerAuth(event, auth.of(event.req));
      const response = responseTo(event, next);
      return isInner ? response.catch(responseToRefusal) : response;
    };
    return respond(auth.host, event.req, handle, { request: () => requestOf(event) });
  };
}

/** A cache takes the cookies from the request before it calls a handler whose response it keeps for everybody. */
function offerAuth(event: H3Event, auth: RequestAuth): void {
  const sent = event.req.headers.get("cookie");
  Object.defineProperty(event.context, "auth", {
    configurable: true,
    enumerable: true,
    get: () => (event.req.headers.get("cookie") === sent ? auth : anonymous),
  });
}

/**
 * What h3 makes of the value or the error of a handler: only that has all headers. The one function that comes
 * from h3; the app's last hook is left for the moment when the response leaves.
 */
async function responseTo(event: H3Event, next: () => unknown): Promise<Response> {
  const { onResponse: _last, ...config } = event.app?.config ?? {};
  const value = (async () => next())();
  // h3 prints whatever is no error of its own.
  await value.catch(throwRefusal);
  return toResponse(value, event, config);
}

function throwRefusal(error: unknown): void {
  if (error instanceof AccessError) throw error;
}

/** Sign-in around the app, as in Nitro, knows what it has refused by the status: h3 would print the error. */
function responseToRefusal({ status }: { readonly status: number }): Response {
  return new Response(null, { status });
}

/**
 * On Node the target is there as it was sent: h3 reads `/` where it is no address. `event.url` is what handlers
 * read, and other middleware may have changed it.
 */
function requestOf({ req, runtime, url }: H3Event): Partial<HostRequest> {
  const target = runtime?.node?.req.url ?? targetOf(req);
  return { target, rewrittenTarget: url.pathname + url.search };
}
