import type { H3EventContext } from "h3";
import type { IncomingMessage, ServerResponse } from "node:http";

import { anonymous } from "../../access/anonymous.ts";
import type { RequestAuth } from "../../access/request-auth.ts";
import type { Auth } from "../../auth.ts";
import { AccessError } from "../../errors/access-errors.ts";
import type { AdmittedRequest } from "../../host/host.ts";
import type { ClientNavigation } from "../../http/auth-request.ts";
import { json } from "../../http/response-parts.ts";
import { replaceErrorPage } from "../node-http/node-error-page.ts";
import { open } from "../node-http/node-request.ts";
import { locationHeader, pageHeader } from "./client-headers.ts";

declare module "h3" {
  interface H3EventContext {
    /** Who makes this request. `latchkey(auth)` sets it. */
    auth: RequestAuth;
  }
}

const place = Symbol("admitted");

/** What is used of an event of h3 1, on which Nuxt 4 stands. */
interface H3Event {
  readonly context: H3EventContext;
  readonly node: {
    readonly req: IncomingMessage & {
      readonly originalUrl?: string;
      /** Present where Nuxt makes the request to itself: the context of the event in whose course it does so. */
      readonly __unenv__?: { readonly [place]?: AdmittedRequest };
    };
    readonly res: ServerResponse;
  };
}

/** A handler of h3, for a file in `server/middleware`. */
export type Middleware = (event: H3Event) => Promise<void>;

/**
 * Sign-in as the first server middleware: answers the auth routes, guards everything that is not public, and adds
 * the session's headers to what the app sends. What Nitro answers before any middleware only {@link latchkeyPlugin} guards.
 *
 * Server routes and, on the server, pages find who makes the request in `event.context.auth`. What Nitro keeps in a cache
 * is for everybody: nobody is signed in there.
 */
export function latchkey(auth: Auth): Middleware {
  return async ({ context, node: { req, res } }) => {
    const { originalUrl: sent = req.url ?? "/", __unenv__: outerContext } = req;
    const isInternal = "__unenv__" in req;
    const admitted = await open(auth, req, res, {
      sent: pageTarget(sent),
      errorPage: isInternal ? "/__nuxt_error" : undefined,
      clientNavigation: isInternal ? undefined : navigationOf(req),
      outer: outerContext?.[place],
    });
    if (admitted === null) return;
    Object.defineProperty(context, "auth", {
      configurable: true,
      enumerable: true,
      // Nitro's cache says so in the context before it calls what it keeps, for everybody.
      get: () => ("cache" in context ? anonymous : admitted.auth),
    });
    Object.assign(context, { [place]: admitted });
    replaceErrorPage(
      {
        ...admitted,
        onRefused: (listen) => admitted.onRefused((error) => listen(unprinted(error))),
      },
      res,
    );
  };
}

/** What is used of Nitro. */
interface NitroApp {
  readonly h3App: { readonly stack: object[] };
}

interface PluginOptions {
  /** Whether the build renders pages ahead: nobody is signed in there, and no setting is read. */
  readonly prerender?: boolean | undefined;
}

/**
 * The same as a plugin of Nitro, for a file in `server/plugins`: sign-in comes before everything that Nitro answers by itself,
 * such as `redirect` and `proxy` of `routeRules`, and files of `public/`.
 */
export function latchkeyPlugin(
  auth: Auth,
  { prerender = false }: PluginOptions = {},
): (nitroApp: NitroApp) => void {
  const handler = prerender ? offerNobody : latchkey(auth);
  return ({ h3App }) => void h3App.stack.unshift({ route: "/", handler });
}

async function offerNobody({ context }: H3Event): Promise<void> {
  context.auth = anonymous;
}

/** The data of a page that Nitro keeps have an address of their own, below that of the page. */
function pageTarget(target: string): string {
  const found = /^([^?]*)\/_payload\.json(\?.*)?$/.exec(target);
  return found === null ? target : (found[1] || "/") + (found[2] ?? "");
}

/** h3 1 and Nitro print whatever is no error of h3, which they know by this mark of its class. */
function unprinted(error: unknown): unknown {
  if (!(error instanceof AccessError)) return error;
  const value = { name: error.name, __h3_error__: true };
  return Object.defineProperty(error, "constructor", { value });
}

/** Follows no redirect to another origin, so it is told where to go: by a response that is no error in the console. */
function navigationOf({ headers }: IncomingMessage): ClientNavigation | undefined {
  const page = headers[pageHeader];
  if (typeof page !== "string") return undefined;
  const lead = (location: string) => json(null, 200, [[locationHeader, location]]);
  return { page, isForData: true, lead };
}
