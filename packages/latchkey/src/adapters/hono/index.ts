import type { MiddlewareHandler } from "hono";

import type { RequestAuth } from "../../host/request-auth.ts";
import type { Auth } from "../../index.ts";
import { toResponse } from "../../http/response-parts.ts";
import { assertAuth } from "../assert-auth.ts";
import { commitAtHead } from "../node-http/node-response.ts";
import { hostRequest, nodeResponse, replaceResponse } from "./wire.ts";

declare module "hono" {
  interface ContextVariableMap {
    /** The session and user of this request, set by `latchkey(auth)`. */
    auth: RequestAuth;
  }
}

/** The part which the middleware adds to a Hono context. */
export interface LatchkeyEnvironment {
  Variables: {
    /** The session and user of this request. */
    auth: RequestAuth;
  };
}

/**
 * Sign-in as one middleware: answers the auth routes, guards everything else unless it is public,
 * and adds the session's headers to the app's response.
 *
 * Handlers read the user from `c.var.auth`.
 */
export function latchkey(auth: Auth): MiddlewareHandler<LatchkeyEnvironment> {
  assertAuth(auth);
  const { host } = auth;
  return async (c, next) => {
    const request = c.req.raw;
    if (host.admittedOf(request) !== undefined) {
      await next();
      return undefined;
    }
    const received = await host.receive(request, (origin) => hostRequest(c, origin));
    if ("response" in received) return toResponse(received.response);
    const { admitted } = received;
    c.set("auth", admitted.auth);
    const outgoing = nodeResponse(c.env);
    if (outgoing !== null) commitAtHead(admitted, outgoing);
    await next();
    // To read `c.res` without a response would make one, and hide Hono's own error.
    if (!c.finalized) return undefined;
    const recovered = await admitted.recover(c.error);
    if (recovered !== null) replaceResponse(c, toResponse(recovered));
    else if (outgoing === null) replaceResponse(c, host.commit(admitted, c.res));
    return undefined;
  };
}
