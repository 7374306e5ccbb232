import type { IncomingMessage, ServerResponse } from "node:http";

import type { RequestAuth } from "../access/request-auth.ts";
import type { Auth } from "../auth.ts";
import { assertAuth } from "./assert-auth.ts";
import { replaceErrorPage } from "./node-http/node-error-page.ts";
import { open } from "./node-http/node-request.ts";

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- Express declares its requests in this way
  namespace Express {
    interface Request {
      /** Who makes this request. `latchkey(auth)` sets it. */
      auth: RequestAuth;
    }
  }
}

/** A middleware of Express, Connect, or anything of their kind. */
export type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
) => void;

/**
 * Sign-in as one middleware: answers the auth routes, guards everything that is not public, and adds the
 * session's headers to what the app sends. `next` is called for requests that may go on, and for no others.
 *
 * Handlers find who makes the request in `req.auth`.
 */
export function latchkey(auth: Auth): Middleware {
  assertAuth(auth);
  return (request, response, next) => {
    void pass(auth, request, response, next);
  };
}

async function pass(
  auth: Auth,
  ...[request, response, next]: Parameters<Middleware>
): Promise<void> {
  const admitted = await open(auth, request, response);
  if (admitted === null) return;
  replaceErrorPage(admitted, response);
  next();
}
