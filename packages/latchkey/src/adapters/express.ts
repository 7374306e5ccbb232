import type { IncomingMessage, ServerResponse } from "node:http";

import type { RequestAuth } from "../host/request-auth.ts";
import type { Auth } from "../auth.ts";
import { assertAuth } from "./assert-auth.ts";
import { catchRefusals } from "./node-http/express-4.ts";
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
 * Sign-in as one middleware: answers the auth routes, guards everything else unless it is public,
 * and adds the session's headers to the app's response. Calls `next` for admitted requests only.
 *
 * Handlers read the user from `req.auth`.
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
  catchRefusals(request);
  next();
}
