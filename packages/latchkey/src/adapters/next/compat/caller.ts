import type { IncomingMessage, ServerResponse } from "node:http";

import type { RequestAuth } from "../../../access/request-auth.ts";
import type { Auth } from "../../../auth.ts";
import { createPagesPassage } from "../pages-auth.ts";
import { authOf, type CurrentVisit } from "../request-auth.ts";

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

export function createAuthOfCaller(auth: Auth, current: CurrentVisit): AuthOfCaller {
  const pages = createPagesPassage(auth);
  return async ([request, response]) => {
    if (request === undefined) return authOf(current);
    if (isNode(request)) return (await pages(request, response as ServerResponse)).auth;
    // A request that has passed the middleware is known; in `app/` Next itself knows the request.
    return auth.host.passageOf(request)?.auth ?? authOf(current);
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
