import { appPath } from "../access/addresses.ts";
import type { Context } from "../context.ts";
import { Refusal } from "../errors/refusal.ts";
import { empty } from "../http/answers.ts";
import { isPrefetch } from "../http/fetch-metadata.ts";
import { noStoreHeaders, withHeaders } from "../http/headers.ts";
import { isUnder, pathOf } from "../http/request-path.ts";
import { backchannelLogout } from "./backchannel-logout.ts";
import { callback } from "./callback.ts";
import { errorResponse, type RouteName } from "./error-response.ts";
import { login } from "./login.ts";
import { logout } from "./logout.ts";
import { me } from "./me.ts";
import { peek } from "./peek.ts";

interface Route {
  readonly name: RouteName;
  readonly methods: readonly string[];
  readonly answer: (context: Context, request: Request) => Promise<Response>;
  /** Whether HEAD is for the route to answer; elsewhere HEAD and prefetch are answered without any effect. */
  readonly isSafe?: boolean;
}

/** From path to route, made once. */
export type RouteTable = ReadonlyMap<string, Route>;

export function createRouteTable({ config }: Context): RouteTable {
  const { routes, pagesPrefix, responseMode } = config;
  const read = ["GET", "HEAD"];
  const callbackMethods = responseMode === "form_post" ? ["POST"] : read;
  return new Map<string, Route>([
    [routes.login, { name: "login", methods: [...read, "POST"], answer: login }],
    [routes.callback, { name: "callback", methods: callbackMethods, answer: callback }],
    [routes.logout, { name: "logout", methods: [...read, "POST"], answer: logout }],
    [routes.me, { name: "me", methods: read, answer: me, isSafe: true }],
    [routes.backchannelLogout, { name: "unknown", methods: ["POST"], answer: backchannelLogout }],
    [`${pagesPrefix}/session.json`, { name: "session", methods: read, answer: peek, isSafe: true }],
  ]);
}

/**
 * Answers a request for one of our routes; `undefined` where the path is not ours. Every other path under the
 * auth prefix is 404, also one that goes on behind a known segment: a cache must not take it for a file.
 */
export function routeRequest(
  context: Context,
  table: RouteTable,
  request: Request,
): Promise<Response> | undefined {
  const path = appPath(context.config, pathOf(request.url));
  const route = table.get(path);
  if (route !== undefined) return answer(context, route, request);
  if (!isUnder(context.config.routes.prefix, path)) return undefined;
  return errorResponse(context, request, "unknown", new Refusal("not_found"));
}

async function answer(context: Context, route: Route, request: Request): Promise<Response> {
  const { name, methods, isSafe = false } = route;
  if (!methods.includes(request.method)) return methodNotAllowed(context, route, request);
  if (!isSafe && (request.method === "HEAD" || isPrefetch(request))) {
    return empty(204, noStoreHeaders);
  }
  try {
    return await route.answer(context, request);
  } catch (error) {
    return errorResponse(context, request, name, error);
  }
}

async function methodNotAllowed(
  context: Context,
  { methods }: Route,
  request: Request,
): Promise<Response> {
  const response = await errorResponse(
    context,
    request,
    "unknown",
    new Refusal("method_not_allowed"),
  );
  return withHeaders(response, [["Allow", methods.join(", ")]]);
}
