import { appPath } from "../request/addresses.ts";
import { refusedPath } from "../request/guard/refused-url.ts";
import type { Exchange } from "../request/exchange.ts";
import type { Config } from "../config/config.ts";
import { postsResponse } from "../oidc/authorization-request.ts";
import type { Pages } from "../config/pages.ts";
import type { Context } from "../context.ts";
import { Refusal } from "../errors/refusal.ts";
import { isPrefetch } from "../http/fetch-metadata.ts";
import { isUnder, type RequestTarget } from "../http/request-target.ts";
import { empty, type ResponseParts } from "../http/response-parts.ts";
import { brandCSS } from "../routes/brand-sheet.ts";
import { backchannelLogout } from "../routes/logout/backchannel-logout.ts";
import { callback } from "../routes/callback.ts";
import { device } from "../routes/device.ts";
import { errorResponse, type RouteName } from "../routes/error-response.ts";
import { frontchannelLogout } from "../routes/logout/frontchannel-logout.ts";
import { keptForm } from "../routes/kept-form.ts";
import { login } from "../routes/login.ts";
import { logout } from "../routes/logout/logout.ts";
import { me } from "../routes/me.ts";
import { showRefusal } from "../routes/refused.ts";
import { sessionEvents } from "../routes/session-events.ts";
import { sessionJSON } from "../routes/session-json.ts";
import { signedOut } from "../routes/logout/signed-out.ts";
import { keptFormPath } from "../transaction/form-cookie.ts";

/** One of our own routes. */
interface Route {
  readonly name: RouteName;
  /** The name for telemetry, if it differs. */
  readonly operation?: string;
  readonly methods: readonly string[];
  readonly respond: (context: Context, exchange: Exchange) => Promise<ResponseParts>;
  /**
   * Whether HEAD is for the route to answer; elsewhere HEAD and prefetch are answered without any
   * effect.
   */
  readonly isSafe?: boolean;
}

/** From path to route, made once. */
export type RouteTable = ReadonlyMap<string, Route>;

export function createRouteTable({
  config,
  connections,
  device: binding,
}: Pick<Context, "config" | "connections" | "device">): RouteTable {
  const { routes, pagesPrefix } = config;
  if (!config.hasSessions) return new Map();
  const read = ["GET", "HEAD"];
  const callbackMethods = postsResponse(connections.default) ? ["POST"] : read;
  const session: Route = { name: "session", methods: read, respond: sessionJSON, isSafe: true };
  return new Map<string, Route>([
    [routes.login, { name: "login", methods: [...read, "POST"], respond: login }],
    [routes.callback, { name: "callback", methods: callbackMethods, respond: callback }],
    [routes.logout, { name: "logout", methods: [...read, "POST"], respond: logout }],
    [routes.me, { name: "me", methods: read, respond: me, isSafe: true }],
    [
      routes.frontchannelLogout,
      { name: "unknown", operation: "frontchannel", methods: read, respond: frontchannelLogout },
    ],
    [
      routes.backchannelLogout,
      { name: "unknown", operation: "backchannel", methods: ["POST"], respond: backchannelLogout },
    ],
    [`${pagesPrefix}/session.json`, session],
    // For hosts that serve the auth prefix only, as route handlers of Next.js.
    [`${routes.prefix}/session.json`, session],
    [keptFormPath(config), { name: "kept-form", methods: read, respond: keptForm }],
    [
      `${pagesPrefix}/session-events`,
      { name: "session", methods: ["GET"], respond: sessionEvents },
    ],
    [
      `${pagesPrefix}/brand.css`,
      { name: "unknown", methods: read, respond: brandCSS, isSafe: true },
    ],
    [refusedPath(config), { name: "refused", methods: read, respond: showRefusal }],
    [routes.signedOut, { name: "signed-out", methods: read, respond: signedOut }],
    ...deviceRoute(routes, binding),
  ]);
}

function deviceRoute(
  routes: Config["routes"],
  binding: Context["device"],
): readonly (readonly [path: string, route: Route])[] {
  if (binding === null) return [];
  const route: Route = {
    name: "unknown",
    operation: "device",
    methods: ["POST"],
    respond: (context, exchange) => device(context, binding, exchange),
  };
  return [[routes.device, route]];
}

/**
 * Returns the paths for which no access rule can count: sign-in itself, and what users see without
 * one.
 */
export function openPaths(
  { config, connections }: Pick<Context, "config" | "connections">,
  { stepUp, files, root = config.pagesPrefix }: Pick<Pages, "stepUp" | "files" | "root">,
) {
  const { routes, pagesPrefix, basePath } = config;
  // Pages with another root have none below the prefix for which a rule could count.
  const belowPrefix = root === pagesPrefix ? stepUp : "";
  const ofPages = [
    ...(belowPrefix === undefined ? [] : [pagesPrefix + belowPrefix]),
    ...(files === undefined ? [] : [root + files]),
  ];
  const folders = [routes.prefix, ...routePaths({ config, connections }), ...ofPages];
  return {
    folders: folders.map((each) => each.toLowerCase()),
    pagesPrefix: pagesPrefix.toLowerCase(),
    basePath: basePath.toLowerCase(),
  };
}

function routePaths(site: Pick<Context, "config" | "connections">): readonly string[] {
  return [...createRouteTable({ ...site, device: null }).keys()];
}

/**
 * Returns the response of one of our routes, `null` for any other path. Unknown paths below the
 * auth prefix are 404, even below a known segment: a cache must not take them for a file.
 */
export function respondByRoute(
  context: Context,
  table: RouteTable,
  exchange: Exchange,
  target: RequestTarget,
): Promise<ResponseParts> | null {
  const path = appPath(context.config, target.path);
  // Some hosts put a slash at the end of every address, ours included.
  const route = table.get(path) ?? table.get(path.replace(/\/$/, ""));
  if (route !== undefined) return respond(context, route, exchange);
  if (!isUnder(context.config.routes.prefix, path)) return null;
  const detail = `the routes of sign-in are ${[...table.keys()].join(", ")}`;
  return errorResponse(context, exchange, "unknown", new Refusal("not_found", { detail }));
}

const ends = { well: ({ status }: ResponseParts) => ({ status }) };

async function respond(
  context: Context,
  { name, operation = name, methods, respond: answer, isSafe = false }: Route,
  exchange: Exchange,
): Promise<ResponseParts> {
  const { request } = exchange;
  const { method } = request;
  if (!methods.includes(method)) return methodNotAllowed(context, exchange, methods);
  if (!isSafe && (method === "HEAD" || (method === "GET" && isPrefetch(request))))
    return empty(204);
  try {
    const named = { kind: "route", name: operation } as const;
    return await context.observer.run(named, () => answer(context, exchange), ends);
  } catch (error) {
    return errorResponse(context, exchange, name, error);
  }
}

async function methodNotAllowed(
  context: Context,
  exchange: Exchange,
  methods: readonly string[],
): Promise<ResponseParts> {
  const refusal = new Refusal("method_not_allowed");
  const parts = await errorResponse(context, exchange, "unknown", refusal);
  return { ...parts, headers: [...parts.headers, ["Allow", methods.join(", ")]] };
}
