import { anonymous } from "../../host/anonymous.ts";
import type { RequestAuth } from "../../host/request-auth.ts";
import type { Auth } from "../../index.ts";
import { replaceErrorPage } from "../node-http/node-error-page.ts";
import { open } from "../node-http/node-request.ts";
import {
  admittedKey,
  guardUpgrade,
  type H3Event,
  isErrorPage,
  isForCache,
  type NitroApp,
  pageClientOf,
  pageTarget,
  withoutPrint,
} from "./wire.ts";

declare module "h3" {
  interface H3EventContext {
    /** The session and user of this request, set by `latchkey(auth)`. */
    auth: RequestAuth;
  }
}

/** A handler of h3, for a file in `server/middleware`. */
export type Middleware = (event: H3Event) => Promise<void>;

/**
 * Sign-in as the first server middleware: answers the auth routes, guards everything else unless it
 * is public, and adds the session's headers to the app's response. Only {@link latchkeyPlugin}
 * guards the files and rules which Nitro answers before any middleware.
 *
 * Server routes, and pages on the server, read the user from `event.context.auth`. Cached handlers
 * run signed out, since all users share their responses.
 */
export function latchkey(auth: Auth): Middleware {
  return async ({ context, node: { req, res } }) => {
    const { originalUrl: sent = req.url ?? "/", __unenv__: outerContext } = req;
    const isInternal = "__unenv__" in req;
    const admitted = await open(auth, req, res, {
      sent: pageTarget(sent),
      pageClient: isInternal ? undefined : pageClientOf(req),
      outer: outerContext?.[admittedKey],
      isUnguarded: isInternal && isErrorPage(auth.config, sent),
    });
    if (admitted === null) return;
    Object.defineProperty(context, "auth", {
      configurable: true,
      enumerable: true,
      get: () => (isForCache(context) ? anonymous : admitted.auth),
    });
    Object.assign(context, { [admittedKey]: admitted });
    replaceErrorPage(
      {
        ...admitted,
        onRefused: (listen) => admitted.onRefused((error) => listen(withoutPrint(error))),
      },
      res,
    );
  };
}

interface PluginOptions {
  /** Whether the build prerenders pages: they are rendered signed out, and no setting is read. */
  readonly prerender?: boolean | undefined;
}

/**
 * The same as a plugin of Nitro, for a file in `server/plugins`. Sign-in then comes before
 * everything answered by Nitro itself: `redirect` and `proxy` of `routeRules`, files of `public/`,
 * WebSockets.
 */
export function latchkeyPlugin(
  auth: Auth,
  { prerender = false }: PluginOptions = {},
): (nitroApp: NitroApp) => void {
  const handler = prerender ? signOut : latchkey(auth);
  return ({ h3App }) => {
    h3App.stack.unshift({ route: "/", handler });
    const websocket = { hooks: { upgrade: guardUpgrade(auth) } };
    if (!prerender) Object.assign(h3App.options, { websocket });
  };
}

async function signOut({ context }: H3Event): Promise<void> {
  context.auth = anonymous;
}
