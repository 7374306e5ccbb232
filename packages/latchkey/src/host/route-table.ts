import { appPath, chooserPath, keptFormPath } from "../config/addresses.ts";
import { refusedPath } from "../request/guard/refused-url.ts";
import type { Exchange } from "../request/exchange.ts";
import type { Config } from "../config/config.ts";
import { defaultID } from "../config/constants.ts";
import type { Connection } from "../oidc/connection.ts";
import { choose } from "../routes/choose.ts";
import { isAtHost } from "../routes/offered-here.ts";
import { postsResponse } from "../oidc/authorization-request.ts";
import type { Pages } from "../config/pages.ts";
import { type Context, withConnection } from "../context.ts";
import type { HostContext } from "./host-context.ts";
import { isUnder, type RequestTarget } from "../http/request-target.ts";
import type { ResponseParts } from "../http/response-parts.ts";
import { brandCSS } from "../routes/brand-sheet.ts";
import { backchannelLogout } from "../routes/logout/backchannel-logout.ts";
import { callback } from "../routes/callback.ts";
import { device } from "../routes/device.ts";
import type { RouteName } from "../routes/problem-of.ts";
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
export interface Route {
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
