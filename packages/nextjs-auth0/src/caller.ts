import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * The first arguments of a function of nextjs-auth0: none in `app/`, a `Request` in route handlers
 * and middleware, request and response of Node in `pages/`.
 */
export type Caller =
  | readonly []
  | readonly [request: Request, response?: unknown]
  | readonly [incoming: IncomingMessage, outgoing: ServerResponse];

/** Separates the first arguments from the last one. */
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

/** Checks the shape, not the class: Next has a `Request` of its own. */
export function isRequest(value: unknown): value is Request {
  return (
    typeof value === "object" &&
    value !== null &&
    "headers" in value &&
    value.headers instanceof Headers
  );
}
