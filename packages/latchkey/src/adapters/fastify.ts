import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";

import type { RequestAuth } from "../host/request-auth.ts";
import type { Auth } from "../index.ts";
import { assertAuth } from "./assert-auth.ts";
import { replaceErrorPage } from "./node-http/node-error-page.ts";
import { open, type SignedRequest } from "./node-http/node-request.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Who makes this request. `latchkey(auth)` sets it. */
    readonly auth: RequestAuth;
  }
}

/**
 * Marks an instance whose requests have `auth` already, perhaps by another copy of this package.
 */
const decorated = Symbol.for("latchkey.fastify");

/**
 * Sign-in as a plugin: answers the auth routes, guards everything else unless it is public, unknown
 * routes included, and adds the session's headers to each response. It applies to the instance that
 * registers it, and to everything registered in there.
 *
 * Handlers read the user from `request.auth`.
 */
export function latchkey(auth: Auth): FastifyPluginAsync {
  assertAuth(auth);
  const plugin: FastifyPluginAsync = async (app) => {
    if (!app.hasDecorator(decorated)) {
      app.decorate(decorated, null);
      app.decorateRequest("auth", { getter: authOf });
    }
    // The first hook: no parser has read the body yet.
    app.addHook("onRequest", (request, reply) => pass(auth, request, reply));
    for (const url of ownPaths(auth)) {
      if (app.hasRoute({ method: "GET", url: app.prefix + url })) continue;
      app.all(url, hidden, (_request, reply) => reply.callNotFound());
    }
  };
  return Object.assign(plugin, metadata);
}

/**
 * As `fastify-plugin` sets it: the hooks belong to the instance that registers the plugin.
 * https://fastify.dev/docs/latest/Reference/Plugins/
 */
const metadata = {
  [Symbol.for("skip-override")]: true,
  [Symbol.for("fastify.display-name")]: "latchkey",
  [Symbol.for("plugin-meta")]: { name: "latchkey", fastify: ">=5" },
};

/** Hides our routes from the generated documentation of an app. */
const hidden = { schema: { hide: true } as object };

/**
 * Inside of another plugin, Fastify calls its hooks for addresses of routes only: these are
 * answered there.
 */
function ownPaths(auth: Auth): readonly string[] {
  try {
    const { routes, pagesPrefix } = auth.config;
    const { login, callback, logout, me, prefix } = routes;
    return [login, callback, logout, me, `${prefix}/*`, `${pagesPrefix}/*`];
  } catch {
    // The first request reports the faults of the settings.
    return [];
  }
}

function authOf(this: FastifyRequest): RequestAuth {
  return (this.raw as SignedRequest).auth;
}

async function pass(auth: Auth, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const parsed = () => request.body;
  const known = { sent: request.originalUrl, mountPath: "", parsed };
  const admitted = await open(auth, request.raw, reply.raw, known);
  if (admitted === null) reply.hijack();
  else replaceErrorPage(admitted, reply.raw);
}
