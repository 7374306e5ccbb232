import { anonymous } from "../../access/anonymous.ts";
import type { RequestAuth } from "../../access/request-auth.ts";
import type { Auth } from "../../auth.ts";
import { targetOf } from "../../http/auth-request.ts";
import { toResponse } from "../../http/response-parts.ts";
import { replaceErrorPage } from "../node-http/node-error-page.ts";
import { open } from "../node-http/node-request.ts";
import { admittedKey, type H3Event, navigationOf, pageTarget, unprinted } from "./nuxt-event.ts";

declare module "h3" {
  interface H3EventContext {
    /** Who makes this request. `latchkey(auth)` sets it. */
    auth: RequestAuth;
  }
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
      outer: outerContext?.[admittedKey],
    });
    if (admitted === null) return;
    Object.defineProperty(context, "auth", {
      configurable: true,
      enumerable: true,
      // Nitro's cache says so in the context before it calls what it keeps, for everybody.
      get: () => ("cache" in context ? anonymous : admitted.auth),
    });
    Object.assign(context, { [admittedKey]: admitted });
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
  readonly h3App: { readonly stack: object[]; readonly options: object };
}

interface PluginOptions {
  /** Whether the build renders pages ahead: nobody is signed in there, and no setting is read. */
  readonly prerender?: boolean | undefined;
}

/**
 * The same as a plugin of Nitro, for a file in `server/plugins`: sign-in comes before everything that Nitro answers by itself,
 * such as `redirect` and `proxy` of `routeRules`, files of `public/` and WebSockets.
 */
export function latchkeyPlugin(
  auth: Auth,
  { prerender = false }: PluginOptions = {},
): (nitroApp: NitroApp) => void {
  const handler = prerender ? offerNobody : latchkey(auth);
  return ({ h3App }) => {
    h3App.stack.unshift({ route: "/", handler });
    const websocket = { hooks: { upgrade: guardOf(auth) } };
    if (!prerender) Object.assign(h3App.options, { websocket });
  };
}

/** WebSockets pass by everything that stands in the stack. The response that their hook throws refuses one. */
function guardOf({ host }: Auth) {
  return async ({ headers, url }: Pick<Request, "headers" | "url">): Promise<void> => {
    const target = targetOf({ url });
    const received = await host.receive({}, (origin) => ({
      method: "GET",
      url: origin + target,
      headers,
      target,
      body: async () => null,
    }));
    if ("response" in received) throw toResponse(received.response);
  };
}

async function offerNobody({ context }: H3Event): Promise<void> {
  context.auth = anonymous;
}
