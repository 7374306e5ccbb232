import { appPath, isOfConnection } from "../config/addresses.ts";
import type { Config } from "../config/config.ts";
import { connectionIDForm } from "../config/constants.ts";
import { HandlerError } from "../errors/handler-error.ts";
import { Refusal } from "../errors/refusal.ts";
import { isPrefetch } from "../http/fetch-metadata.ts";
import { isUnder, type RequestTarget } from "../http/request-target.ts";
import { empty, type ResponseParts } from "../http/response-parts.ts";
import type { Connection } from "../oidc/connection.ts";
import type { Connections } from "../oidc/connections.ts";
import type { Exchange } from "../request/exchange.ts";
import { errorResponse } from "../routes/error-response.ts";
import { goneConnection } from "../routes/gone-connection.ts";
import { failureOf, observedAt } from "../telemetry/telemetry.ts";
import type { MaybePromise } from "../time/maybe-promise.ts";
import type { HostContext } from "./host-context.ts";
import type { Route, RouteTable } from "./route-table.ts";
import { withoutTrailingSlash } from "../http/trailing-slash.ts";

/** A route, and the connection that the address names. */
interface Addressed {
  readonly route: Route;
  readonly connection: Connection | null;
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
  const call = { context, table, exchange, path };
  const addressed = addressedBy(context, table, path);
  if (!(addressed instanceof Promise)) return answer(call, addressed);
  // Its settings may be missing, so the path alone names the connection.
  const place = { connection: path.slice(path.lastIndexOf("/") + 1) };
  const named = { ...context, ...observedAt(context, place) };
  return addressed.then(
    (found) => answer(call, found),
    (error) => errorResponse(named, exchange, "unknown", error),
  );
}

interface RouteCall {
  readonly context: HostContext;
  readonly table: RouteTable;
  readonly exchange: Exchange;
  /** Below the base URL. */
  readonly path: string;
}

function answer(call: RouteCall, addressed: Addressed | null): Promise<ResponseParts> | null {
  const { context, exchange, path } = call;
  if (addressed !== null) return respond(context, addressed, exchange);
  return isUnder(context.config.routes.prefix, path) ? refuseUnknown(call) : null;
}

async function refuseUnknown({
  context,
  table,
  exchange,
  path,
}: RouteCall): Promise<ResponseParts> {
  const isCallback = isOfConnection(`${context.config.routes.prefix}/callback`, path);
  const gone = isCallback ? await goneConnection(context, exchange) : null;
  if (gone !== null) return errorResponse(context, exchange, "callback", gone);
  const detail = `the routes of sign-in are ${[...table.keys()].join(", ")}`;
  return errorResponse(context, exchange, "unknown", new Refusal("not_found", { detail }));
}

function addressedBy(
  { config, connections }: { readonly config: Config; readonly connections: Connections },
  table: RouteTable,
  path: string,
): MaybePromise<Addressed | null> {
  // Some hosts put a slash at the end of every address, ours included.
  const plain = withoutTrailingSlash(path);
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
  const { name, operation = name, respond: respondTo, isSafe = false } = route;
  const methods = methodsOf(route, connection, context.connections);
  const { request } = exchange;
  const { method } = request;
  if (!methods.includes(method)) return methodNotAllowed(context, exchange, methods);
  if (!isSafe && (method === "HEAD" || (method === "GET" && isPrefetch(request))))
    return empty(204);
  try {
    const chosen = connection?.named;
    const named = { kind: "route", name: operation, connection: chosen } as const;
    return await context.observer.run(named, () => respondTo(context, exchange, connection), ends);
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
