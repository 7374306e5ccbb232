import type { IncomingMessage, ServerResponse } from "node:http";

import { ambient } from "../ambient.ts";
import type { RequestAuth } from "../host/request-auth.ts";
import type { Auth } from "../index.ts";
import { assertAuth } from "./assert-auth.ts";
import { catchRefusals, routesBefore } from "./node-http/express-router.ts";
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
  let isPlaced = false;
  const middleware: Middleware = (request, response, next) => {
    if (!isPlaced) warnOfRoutesBefore(auth, routesBefore(middleware, request));
    isPlaced = true;
    void pass(auth, request, response, next);
  };
  return middleware;
}

/** For developers: otherwise an open page, or `req.auth` without a value, is the only sign. */
function warnOfRoutesBefore(auth: Auth, paths: readonly string[]): void {
  if (paths.length === 0 || !isInDevelopment(auth)) return;
  ambient.print(
    `latchkey: sign-in stands behind the routes ${paths.join(", ")}. It does not guard them, and req.auth has no value there. If they need it, call app.use(latchkey(auth)) before them.`,
  );
}

function isInDevelopment(auth: Auth): boolean {
  try {
    return !auth.config.production;
  } catch {
    // The response to the request reports the faults of the settings.
    return false;
  }
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
