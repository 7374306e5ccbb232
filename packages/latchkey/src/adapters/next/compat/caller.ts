import type { IncomingMessage, ServerResponse } from "node:http";

import type { RequestAuth } from "../../../access/request-auth.ts";
import type { Auth } from "../../../auth.ts";
import type { HostRequest } from "../../../http/auth-request.ts";
import { cookieHeaderAfter } from "../handed-on.ts";
import { hostRequest } from "../next-request.ts";
import { createPagesRequests } from "../pages-auth.ts";
import { authOf, type CurrentRequest } from "../current-request.ts";

/**
 * What functions of nextjs-auth0 are called with first: nothing in `app/`, a `Request` in route handlers and
 * middleware, request and response of Node in `pages/`.
 */
export type Caller =
  | readonly []
  | readonly [request: Request, response?: unknown]
  | readonly [incoming: IncomingMessage, outgoing: ServerResponse];

/** Who makes the request of a caller. */
export type AuthOfCaller = (caller: Caller) => Promise<RequestAuth>;

export function createAuthOfCaller(auth: Auth, current: CurrentRequest): AuthOfCaller {
  // As there, the app answers itself to an error that it catches, with whatever status.
  const pages = createPagesRequests(auth, () => undefined);
  return async ([request, response]) => {
    if (request === undefined) return authOf(current);
    if (isNode(request)) return (await pages(request, response as ServerResponse)).auth;
    const renewed = renewedRequest(auth, request, response);
    if (renewed !== null) return (await auth.host.receiveUnguarded(() => renewed)).auth;
    // A request that has passed the middleware is known; in `app/` Next itself knows the request.
    return auth.host.admittedOf(request)?.auth ?? authOf(current);
  };
}

/**
 * The request that would follow a response which brings a session: after `handleCallback`, apps ask for the new one with
 * both. `null` where the response brings none.
 */
function renewedRequest(auth: Auth, request: Request, response: unknown): HostRequest | null {
  if (!(response instanceof Response)) return null;
  const { headers } = response;
  const { name } = auth.config.session;
  const written = headers.getSetCookie().filter((line) => line.startsWith(name));
  if (written.length === 0) return null;
  const cookie = cookieHeaderAfter(request.headers.get("cookie"), written);
  return {
    ...hostRequest(request, auth.config, "other"),
    headers: { get: (header) => (header === "cookie" ? cookie : request.headers.get(header)) },
    changes: {
      write: (setCookies) => setCookies.forEach((line) => headers.append("Set-Cookie", line)),
    },
  };
}

/** Takes what belongs to the caller from the front of the arguments of a function. */
export function takeCaller(given: readonly unknown[]): {
  readonly caller: Caller;
  readonly last: unknown;
} {
  const [first, second, third] = given;
  if (isNode(first) || isRequest(first)) return { caller: [first, second] as Caller, last: third };
  return { caller: [], last: first };
}

export function isNode(value: unknown): value is IncomingMessage {
  return typeof value === "object" && value !== null && "socket" in value;
}

/** By its shape, not its class: Next has a `Request` of its own. */
export function isRequest(value: unknown): value is Request {
  return (
    typeof value === "object" &&
    value !== null &&
    "headers" in value &&
    value.headers instanceof Headers
  );
}
