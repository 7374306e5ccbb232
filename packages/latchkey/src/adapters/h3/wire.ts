/**
 * What the adapter uses of h3 2.0.8, Nitro 3.0.260903-beta and crossws 0.4.17 beyond their
 * documentation.
 */
import { type H3Event, type Middleware, toResponse } from "h3";

import { isExpectedEnd } from "../../errors/access-errors.ts";
import { type HostRequest, targetOf } from "../../http/auth-request.ts";
import type { MaybePromise } from "../../time/maybe-promise.ts";

/**
 * The used part of Nitro 3. Its own handlers, such as the cache, stand behind the stack of h3.
 * https://github.com/nitrojs/nitro/blob/main/src/runtime/internal/app.ts
 */
export interface NitroApp {
  fetch(request: Request): MaybePromise<Response>;
  readonly h3?: { readonly "~middleware": Middleware[] };
}

/** The key by which h3 attaches the hooks of a WebSocket to its request, too. */
const hooksKey = Symbol.for("crossws.hooks");

/**
 * Makes a response refuse a WebSocket, unless it comes with hooks of the app. crossws opens each
 * socket, whatever the status, if no hook refuses it.
 * https://github.com/h3js/crossws/blob/v0.4.17/src/hooks.ts
 */
export function refuseUpgrade(
  request: Request & { readonly context?: object },
  response: Response,
): Response {
  const isUpgrade = request.headers.get("upgrade")?.toLowerCase() === "websocket";
  const hasHooks =
    "crossws" in response || hooksKey in request || hooksKey in (request.context ?? {});
  return isUpgrade && !hasHooks
    ? Object.assign(response, { crossws: { upgrade: () => response } })
    : response;
}

/**
 * Returns a check whether a cache calls the handler, to keep the response for all users. The cache
 * replaces the request by one without cookies.
 * https://github.com/unjs/ocache/blob/main/src/http.ts
 */
export function watchForCache(event: H3Event): () => boolean {
  const sent = event.req.headers.get("cookie");
  return () => event.req.headers.get("cookie") !== sent;
}

/**
 * Returns the response which h3 makes of the value or error of a handler: only this one has all
 * headers. The app's `onResponse` runs later, when the response leaves.
 * https://github.com/h3js/h3/blob/v2.0.8/src/response.ts
 */
export async function responseTo(event: H3Event, next: () => unknown): Promise<Response> {
  const { onResponse: _last, ...config } = event.app?.config ?? {};
  const value = (async () => next())();
  // h3 would print a refusal, as each error of another kind than its own.
  await value.catch(throwRefusal);
  return toResponse(value, event, config);
}

function throwRefusal(error: unknown): void {
  if (isExpectedEnd(error)) throw error;
}

/** On Node the target is there as it was sent. h3 itself reads `/` if it is malformed. */
export function requestOf({ req, runtime, url }: H3Event): Partial<HostRequest> {
  const target = runtime?.node?.req.url ?? targetOf(req);
  return { target, otherTargets: [url.pathname + url.search] };
}
