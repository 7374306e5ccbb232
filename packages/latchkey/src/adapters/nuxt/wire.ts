/** What the adapter uses of Nuxt 4.5.2, Nitro 2.13.6 and h3 1.15.11 beyond their documentation. */
import type { H3EventContext } from "h3";
import type { IncomingMessage, ServerResponse } from "node:http";

import { appPath } from "../../config/addresses.ts";
import type { Auth } from "../../index.ts";
import type { Config } from "../../config/config.ts";
import { isExpectedEnd } from "../../errors/access-errors.ts";
import type { AdmittedRequest } from "../../host/admitted-request.ts";
import { type PageClient, targetOf } from "../../http/auth-request.ts";
import { json, toResponse } from "../../http/response-parts.ts";
import { locationHeader, pageHeader } from "./client-headers.ts";

/** A key of the context of an event. */
export const admittedKey = Symbol("admitted");

/** The used part of an h3 event. */
export interface H3Event {
  readonly context: H3EventContext;
  readonly node: { readonly req: NuxtRequest; readonly res: ServerResponse };
}

type NuxtRequest = IncomingMessage & {
  /** The target before Nitro removed the base path. */
  readonly originalUrl?: string;
  /**
   * Present on internal sub-requests: the context of the outer event.
   * https://github.com/nitrojs/nitro/blob/v2.13.6/src/runtime/internal/app.ts
   */
  readonly __unenv__?: { readonly [admittedKey]?: AdmittedRequest };
};

/**
 * The used part of Nitro. Its stack holds the handler of `routeRules` before any middleware of the
 * app.
 * https://github.com/nitrojs/nitro/blob/v2.13.6/src/runtime/internal/app.ts
 */
export interface NitroApp {
  readonly h3App: { readonly stack: object[]; readonly options: object };
}

/**
 * Nitro's cache marks the context before it calls the handler whose response it keeps for all
 * users.
 * https://github.com/nitrojs/nitro/blob/v2.13.6/src/runtime/internal/cache.ts
 */
export function isForCache(context: H3EventContext): boolean {
  return "cache" in context;
}

/**
 * Nuxt renders its error page by an internal sub-request.
 * https://github.com/nuxt/nuxt/blob/v4.5.2/packages/nitro-server/src/runtime/handlers/error.ts
 */
export function isErrorPage({ basePath }: Config, target: string): boolean {
  return appPath({ basePath }, target.split("?", 1)[0] ?? "") === "/__nuxt_error";
}

/**
 * The payload of a cached or prerendered page has its own address, below that of the page.
 * https://github.com/nuxt/nuxt/blob/v4.5.2/packages/nuxt/src/app/composables/payload.ts
 */
export function pageTarget(target: string): string {
  const found = /^([^?]*)\/_payload\.json(\?.*)?$/.exec(target);
  return found === null ? target : (found[1] || "/") + (found[2] ?? "");
}

/**
 * Marks a refusal as an error of h3: h3 and Nitro print all others.
 * https://github.com/h3js/h3/blob/v1.15.11/src/error.ts
 */
export function withoutPrint(error: unknown): unknown {
  if (!isExpectedEnd(error)) return error;
  const value = { name: error.name, __h3_error__: true };
  return Object.defineProperty(error, "constructor", { value });
}

/**
 * The plugin `followSignIn` marks its requests. A redirect to another origin would fail by CORS,
 * and a 401 would be an error in the console: a header of a response with status 200 names the
 * location.
 */
export function pageClientOf({ headers }: IncomingMessage): PageClient | undefined {
  const page = headers[pageHeader];
  if (typeof page !== "string") return undefined;
  return { page, lead: (location) => json(null, 200, [[locationHeader, location]]) };
}

/**
 * WebSockets bypass the stack. A response thrown by this hook of h3's app refuses one.
 * https://github.com/h3js/crossws/blob/v0.3.5/src/adapters/node.ts
 */
export function guardUpgrade({ host }: Auth) {
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
