import { type Awaitable, orElse } from "../awaitable.ts";
import { appPath } from "../access/addresses.ts";
import type { Context } from "../context.ts";
import { Refusal } from "../errors/refusal.ts";
import { type Answer, empty } from "../http/answers.ts";
import { isPrefetch } from "../http/fetch-metadata.ts";
import { noStoreHeaders } from "../http/headers.ts";
import { isUnder, pathOf } from "../http/request-path.ts";
import { backchannelLogout } from "./backchannel-logout.ts";
import { callback } from "./callback.ts";
import { errorAnswer, type RouteName } from "./error-answer.ts";
import { login } from "./login.ts";
import { logout } from "./logout.ts";
import { me } from "./me.ts";
import { peek } from "./peek.ts";

interface Route {
  readonly name: RouteName;
  readonly methods: readonly string[];
  readonly answer: (context: Context, request: Request) => Awaitable<Answer>;
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
): Awaitable<Answer> | undefined {
  const path = appPath(context.config, pathOf(request.url));
  const route = table.get(path);
  if (route !== undefined) return answer(context, route, request);
  if (!isUnder(context.config.routes.prefix, path)) return undefined;
  return errorAnswer(context, request, "unknown", new Refusal("not_found"));
}

function answer(context: Context, route: Route, request: Request): Awaitable<Answer> {
  const { name, methods, isSafe = false } = route;
  if (!methods.includes(request.method)) return methodNotAllowed(context, route, request);
  if (!isSafe && (request.method === "HEAD" || (request.method === "GET" && isPrefetch(request)))) {
    return empty(204, noStoreHeaders);
  }
  return orElse(
    () => route.answer(context, request),
    (error) => errorAnswer(context, request, name, error),
  );
}

async function methodNotAllowed(
  context: Context,
  { methods }: Route,
  request: Request,
): Promise<Answer> {
  const refusal = new Refusal("method_not_allowed");
  const answered = await errorAnswer(context, request, "unknown", refusal);
  return { ...answered, headers: [...answered.headers, ["Allow", methods.join(", ")]] };
}
