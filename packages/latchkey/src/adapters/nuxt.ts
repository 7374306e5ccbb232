import type { H3EventContext } from "h3";
import type { IncomingMessage, ServerResponse } from "node:http";

import type { RequestAuth } from "../access/request-auth.ts";
import type { Auth } from "../auth.ts";
import { replaceErrorPage } from "./node-error-page.ts";
import { open } from "./node-shape.ts";

declare module "h3" {
  interface H3EventContext {
    /** Who makes this request; there behind `latchkey(auth)`. */
    auth: RequestAuth;
  }
}

/** What is used of an event of h3 1, on which Nuxt 4 stands. */
interface H3Event {
  readonly context: H3EventContext;
  readonly node: {
    readonly req: IncomingMessage & { readonly originalUrl?: string };
    readonly res: ServerResponse;
  };
}

/** A handler of h3, for a file in `server/middleware`. */
export type Middleware = (event: H3Event) => Promise<void>;

/**
 * Sign-in as the first server middleware: answers the auth routes, guards everything that is not public, and adds
 * the session's headers to what the app sends.
 *
 * Server routes and, on the server, pages find who makes the request in `event.context.auth`.
 */
export function latchkey(auth: Auth): Middleware {
  return async ({ context, node: { req, res } }) => {
    const { originalUrl: sent = req.url ?? "/" } = req;
    const isErrorPage = isInternal(req) && sent.startsWith("/__nuxt_error");
    const passage = await open(auth, req, res, { sent, isErrorPage });
    if (passage === null) return;
    context.auth = passage.auth;
    replaceErrorPage(passage, res);
  };
}

/** Nuxt asks itself for its error page, and for the data that pages want on the server. */
function isInternal(request: IncomingMessage): boolean {
  return "__unenv__" in request;
}
