import type { HonoRequest, MiddlewareHandler } from "hono";
import type { ServerResponse } from "node:http";

import type { RequestAuth } from "../access/request-auth.ts";
import type { Auth } from "../auth.ts";
import { fromFetchRequest, type HostRequest } from "../http/auth-request.ts";
import { toResponse } from "../http/response-parts.ts";
import { assertAuth } from "./assert-auth.ts";
import { commitAtHead } from "./node-http/node-response.ts";

/** What the middleware adds to a Hono context. */
export interface LatchkeyEnvironment {
  Variables: {
    /** Who makes this request. */
    auth: RequestAuth;
  };
}

/**
 * Sign-in as one middleware: answers the auth routes, guards everything that is not public, and adds the
 * session's headers to the app's response.
 *
 * Handlers find who makes the request in `c.var.auth`.
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
    const received = await host.receive(request, (origin) => hostRequest(c.req, origin));
    if ("response" in received) return toResponse(received.response);
    const { admitted } = received;
    c.set("auth", admitted.auth);
    const outgoing = nodeResponse(c.env);
    if (outgoing !== null) commitAtHead(admitted, outgoing);
    await next();
    // Nobody has returned a response: to look for one would make one, and hide the error that Hono has for it.
    if (!c.finalized) return undefined;
    const recovered = await admitted.recover(c.error);
    if (recovered === null && outgoing !== null) return undefined;
    const response = recovered === null ? host.commit(admitted, c.res) : toResponse(recovered);
    // Hono joins the headers of a response that replaces another: without one there is nothing to join.
    c.res = undefined;
    c.res = response;
    return undefined;
  };
}

/**
 * On Node, `@hono/node-server` hands the response of Node to the app. Headers that are added to that need not pass
 * a `Headers`, which reads a large cookie character by character: a quarter of all that sign-in would cost.
 */
function nodeResponse(env: unknown): ServerResponse | null {
  const { outgoing } = (env ?? {}) as { readonly outgoing?: Partial<ServerResponse> };
  return typeof outgoing?.writeHead === "function" ? (outgoing as ServerResponse) : null;
}

/** An earlier middleware may have read the body: Hono keeps what was read through `c.req`. */
function hostRequest(request: HonoRequest, origin: string): HostRequest {
  const received = fromFetchRequest(request.raw, origin);
  const isKept = Object.keys(request.bodyCache).length > 0;
  return isKept ? { ...received, body: async () => formText(await request.formData()) } : received;
}

function formText(form: FormData): string {
  // What may hold a file has been refused by its type.
  return new URLSearchParams([...form] as [string, string][]).toString();
}
