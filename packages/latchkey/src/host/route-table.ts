import { appPath, chooserPath, isOfConnection, keptFormPath } from "../config/addresses.ts";
import { refusedPath } from "../request/guard/refused-url.ts";
import type { Exchange } from "../request/exchange.ts";
import type { Config } from "../config/config.ts";
import { connectionIDForm, defaultID } from "../config/constants.ts";
import type { MaybePromise } from "../time/maybe-promise.ts";
import type { Connection } from "../oidc/connection.ts";
import type { Connections } from "../oidc/connections.ts";
import { choose } from "../routes/choose.ts";
import { goneConnection } from "../routes/gone-connection.ts";
import { isAtHost } from "../routes/offered-here.ts";
import { postsResponse } from "../oidc/authorization-request.ts";
import type { Pages } from "../config/pages.ts";
import { type Context, withConnection } from "../context.ts";
import type { HostContext } from "./host-context.ts";
import { HandlerError } from "../errors/handler-error.ts";
import { failureOf, observedAt } from "../telemetry/telemetry.ts";
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
import type { DeviceBinding } from "../session/device-binding.ts";

/** One of our own routes. */
interface Route {
  readonly name: RouteName;
  /** The name for telemetry, if it differs. */
  readonly operation?: string;
  readonly methods:
    | readonly string[]
    | ((client: Connection, all: readonly Connection[]) => readonly string[]);
  /** The connection is that of the address; `null` if it names none. */
  readonly respond: (
    context: HostContext,
    exchange: Exchange,
    connection: Connection | null,
  ) => Promise<ResponseParts>;
  /** Whether `<path>/<id>` is an address of the route for a connection; by default it is not. */
  readonly isFor?: (connection: Connection, config: Config) => boolean;
  /**
   * Whether HEAD is for the route to answer; elsewhere HEAD and prefetch are answered without any
   * effect.
   */
  readonly isSafe?: boolean;
  /** Whether the route is only there if the app has several connections. Default: false. */
  readonly needsChoice?: boolean;
  /** Whether there is an address for connections alone, and none without an id. */
  readonly needsConnection?: boolean;
}

const read = ["GET", "HEAD"];

/** From path to route, made once. */
export type RouteTable = ReadonlyMap<string, Route>;

export function createRouteTable({
  config,
  reader: { device: binding },
}: {
  readonly config: Config;
  readonly reader: { readonly device: DeviceBinding | null };
}): RouteTable {
  const { routes, pagesPrefix } = config;
  if (!config.hasSessions) return new Map();
  const session: Route = { name: "session", methods: read, respond: sessionJSON, isSafe: true };
  return new Map<string, Route>([
    ...connectionRoutes(routes),
    [routes.logout, { name: "logout", methods: [...read, "POST"], respond: logout }],
    [routes.me, { name: "me", methods: read, respond: me, isSafe: true }],
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
    [
      chooserPath(config),
      {
        name: "login",
        operation: "choose",
        methods: [...read, "POST"],
        respond: choose,
        isSafe: true,
        needsChoice: true,
      },
    ],
    [refusedPath(config), { name: "refused", methods: read, respond: showRefusal }],
    [routes.signedOut, { name: "signed-out", methods: read, respond: signedOut }],
    ...deviceRoute(routes, binding !== null),
  ]);
}

type Routes = readonly (readonly [path: string, route: Route])[];

/** The routes with addresses for each connection. */
function connectionRoutes(routes: Config["routes"]): Routes {
  const ofProvider = { name: "unknown", isFor: hasOwnAddresses } as const;
  const callbacks = {
    name: "callback",
    methods: callbackMethods,
    respond: ofClient(callback),
  } as const;
  const isFor: Route["isFor"] = (each) => hasOwnAddresses(each) && each.callback === "own";
  return [
    [routes.login, { name: "login", methods: [...read, "POST"], respond: login, isFor: isAtHost }],
    [`${routes.prefix}/callback`, { ...callbacks, isFor, needsConnection: true }],
    routes.callback === `${routes.prefix}/callback`
      ? [routes.callback, { ...callbacks, isFor }]
      : [routes.callback, callbacks],
    [
      routes.frontchannelLogout,
      {
        ...ofProvider,
        operation: "frontchannel",
        methods: read,
        respond: ofClient(frontchannelLogout),
      },
    ],
    [
      routes.backchannelLogout,
      {
        ...ofProvider,
        operation: "backchannel",
        methods: ["POST"],
        respond: ofClient(backchannelLogout),
      },
    ],
  ];
}

/** Whether the provider knows addresses with its id; those of `default` have none. */
function hasOwnAddresses({ id, uses }: Connection): boolean {
  return id === uses && id !== defaultID;
}

/** The methods of the responses which arrive at the redirect URI of a client. */
function callbackMethods(client: Connection, all: readonly Connection[]): readonly string[] {
  const sharing = all.filter(({ callback: kind }) => kind === "shared" && client.callback === kind);
  const methods = [client, ...sharing].flatMap((each) => (postsResponse(each) ? ["POST"] : read));
  return [...new Set(methods)];
}

/** Answers at the addresses of a client: the one without an id is that of `default`. */
function ofClient(
  answer: (context: Context, exchange: Exchange, client: Connection) => Promise<ResponseParts>,
): Route["respond"] {
  return async (context, exchange, named) => {
    const client = named ?? context.connections.default;
    const response = await answer(withConnection(context, client), exchange, client);
    return client.named === undefined ? response : { connection: client.named, ...response };
  };
}

function deviceRoute(routes: Config["routes"], isBound: boolean): Routes {
  const route: Route = {
    name: "unknown",
    operation: "device",
    methods: ["POST"],
    respond: device,
  };
  return isBound ? [[routes.device, route]] : [];
}

/**
 * Returns the paths for which no access rule can count: sign-in itself, and what users see without
 * one.
 */
export function openPaths(
  { config }: { readonly config: Config },
  { stepUp, files, root = config.pagesPrefix }: Pick<Pages, "stepUp" | "files" | "root">,
) {
  const { routes, pagesPrefix, basePath } = config;
  // Pages with another root have none below the prefix for which a rule could count.
  const belowPrefix = root === pagesPrefix ? stepUp : "";
  const ofPages = [
    ...(belowPrefix === undefined ? [] : [pagesPrefix + belowPrefix]),
    ...(files === undefined ? [] : [root + files]),
  ];
  const folders = [
    routes.prefix,
    ...createRouteTable({ config, reader: { device: null } }).keys(),
    ...ofPages,
  ];
  return {
    folders: folders.map((each) => each.toLowerCase()),
    pagesPrefix: pagesPrefix.toLowerCase(),
    basePath: basePath.toLowerCase(),
  };
}

/** A route, and the connection that the address names. */
interface Addressed {
  readonly route: Route;
  readonly connection: Connection | null;
}

/** Returns whether a path is one of ours, or of the pages. */
export function isOurPath(
  config: Config,
  pages: Pick<Pages, "respond" | "root">,
  { path }: RequestTarget,
): boolean {
  const { routes, pagesPrefix } = config;
  const ofPages = pages.respond === undefined ? [] : [pages.root ?? pagesPrefix];
  const folders = [routes.prefix, routes.login, routes.callback, pagesPrefix, ...ofPages];
  const own = appPath(config, path);
  return folders.some((folder) => isUnder(folder, own));
}

/**
 * Returns the response of one of our routes, `null` for any other path. Unknown paths below the
 * auth prefix are 404, even below a known segment: a cache must not take them for a file.
 */
export function respondByRoute(
  context: HostContext,
  table: RouteTable,
  exchange: Exchange,
  target: RequestTarget,
): MaybePromise<ResponseParts | null> {
  const path = appPath(context.config, target.path);
  const { prefix } = context.config.routes;
  async function refuseUnknown(): Promise<ResponseParts> {
    const isCallback = isOfConnection(`${prefix}/callback`, path);
    const gone = isCallback ? await goneConnection(context, exchange) : null;
    if (gone !== null) return errorResponse(context, exchange, "callback", gone);
    const detail = `the routes of sign-in are ${[...table.keys()].join(", ")}`;
    return errorResponse(context, exchange, "unknown", new Refusal("not_found", { detail }));
  }
  const answer = (addressed: Addressed | null) => {
    if (addressed !== null) return respond(context, addressed, exchange);
    // Most requests are for the app: nothing is made for them.
    return isUnder(prefix, path) ? refuseUnknown() : null;
  };
  const addressed = addressedBy(context, table, path);
  if (!(addressed instanceof Promise)) return answer(addressed);
  // Its settings may be missing, so the path alone names the connection.
  const place = { connection: path.slice(path.lastIndexOf("/") + 1) };
  const named = { ...context, ...observedAt(context, place) };
  return addressed.then(answer, (error) => errorResponse(named, exchange, "unknown", error));
}

function addressedBy(
  { config, connections }: { readonly config: Config; readonly connections: Connections },
  table: RouteTable,
  path: string,
): MaybePromise<Addressed | null> {
  // Some hosts put a slash at the end of every address, ours included.
  const plain = path.replace(/\/$/, "");
  const known = table.get(path) ?? table.get(plain);
  if (known !== undefined && known.needsConnection !== true) {
    const isMissing = known.needsChoice === true && connections.default.named === undefined;
    return isMissing ? null : { route: known, connection: null };
  }
  const place = plain.lastIndexOf("/");
  const route = table.get(plain.slice(0, place));
  const id = plain.slice(place + 1);
  if (route?.isFor === undefined || !connectionIDForm.test(id)) return null;
  const addressOf = (connection: Connection | null) =>
    connection !== null && route.isFor?.(connection, config) === true
      ? { route, connection }
      : null;
  const found = connections.byID(id);
  return found instanceof Promise ? found.then(addressOf) : addressOf(found);
}

const ends = {
  well: ({ status, connection }: ResponseParts) => ({ status, connection }),
  badly: (error: unknown) => ({
    ...failureOf(error),
    connection: error instanceof HandlerError ? error.recovery.connection : undefined,
  }),
};

async function respond(
  context: HostContext,
  { route, connection }: Addressed,
  exchange: Exchange,
): Promise<ResponseParts> {
  const { name, operation = name, respond: answer, isSafe = false } = route;
  const methods = methodsOf(route, connection, context.connections);
  const { request } = exchange;
  const { method } = request;
  if (!methods.includes(method)) return methodNotAllowed(context, exchange, methods);
  if (!isSafe && (method === "HEAD" || (method === "GET" && isPrefetch(request))))
    return empty(204);
  try {
    const chosen = connection?.named;
    const named = { kind: "route", name: operation, connection: chosen } as const;
    return await context.observer.run(named, () => answer(context, exchange, connection), ends);
  } catch (error) {
    return errorResponse(context, exchange, name, error);
  }
}

function methodsOf(
  { methods }: Route,
  connection: Connection | null,
  { default: byDefault, all }: Connections,
): readonly string[] {
  return typeof methods === "function" ? methods(connection ?? byDefault, all) : methods;
}

async function methodNotAllowed(
  context: HostContext,
  exchange: Exchange,
  methods: readonly string[],
): Promise<ResponseParts> {
  const refusal = new Refusal("method_not_allowed");
  const parts = await errorResponse(context, exchange, "unknown", refusal);
  return { ...parts, headers: [...parts.headers, ["Allow", methods.join(", ")]] };
}
