import type { IncomingMessage, ServerResponse } from "node:http";

import type { RequestAuth } from "../../host/request-auth.ts";
import { type Auth, createAuth, type Options } from "../../host/auth.ts";
import { ambient } from "../../ambient.ts";
import type { Config } from "../../config/config.ts";
import { HandlerError } from "../../errors/handler-error.ts";
import type { ToRequest } from "../../host/host.ts";
import type { HostRequest } from "../../http/auth-request.ts";
import { homeURL } from "../../config/addresses.ts";
import { empty, toResponse } from "../../http/response-parts.ts";
import { createRecentMap } from "../../time/recent-map.ts";
import { type GivenOptions, optionsWithStore } from "../environment/auth-from-environment.ts";
import { hostRequest as nodeRequest } from "../node-http/node-request.ts";
import { authOf, configOfCurrent, createCurrentRequest } from "./current-request.ts";
import { hostRequest as nextRequest, isForRoutes } from "./next-request.ts";
import { createPagesRequests } from "./pages-auth.ts";
import { createProxy, type OwnProxy, type Proxy } from "./proxy.ts";
import { createRoute } from "./route.ts";
import { optionsOf, sharedAuth } from "./shared-auth.ts";
import { cookieHeaderAfter, senderOf } from "./wire.ts";

/** The parts of sign-in, for a library that gives apps its own functions. */
export interface NextHost {
  /**
   * The checked settings.
   *
   * @throws {ConfigError} if they cannot be used
   */
  readonly config: Config;
  /**
   * The settings at the site of a request, by default of the current one in `app/`; those of the
   * primary site if no site has its host.
   */
  configOf(request?: Request | IncomingMessage): Promise<Config>;
  /** The auth of the current request, in `app/`. */
  auth(): Promise<RequestAuth>;
  /** The auth of a request in `pages/`. If the app catches an error, its own response stays. */
  pagesAuth(incoming: IncomingMessage, outgoing: ServerResponse): Promise<RequestAuth>;
  /**
   * The auth of a request in middleware or a route handler. If the response brings a session, this
   * is the auth of the next request, and its changes go to the same response.
   */
  webAuth(request: Request, response: unknown): Promise<RequestAuth>;
  /** As `route` of {@link NextSignIn}. */
  readonly route: ReturnType<typeof createRoute>;
  /** As `protect` of {@link NextSignIn}. */
  protect(own: OwnProxy): Proxy;
  /** Whether the handlers of the app answer a request. */
  isForRoutes(request: Request): boolean;
  /** Responds to a request by one of our routes, whatever the address of the request. */
  respond(request: Request | IncomingMessage, options: RouteOptions): Promise<RouteResponse>;
}

/** A route of sign-in, and how it responds. */
export interface RouteOptions {
  /** Path of the route, below the base path. */
  readonly path: string;
  /** Default of the parameter `returnTo`. */
  readonly returnTo?: string | undefined;
  /** The options of this route which differ from those of the app. */
  readonly change?: ((options: Options) => Partial<Options>) | undefined;
}

/** What a route responds. */
export interface RouteResponse {
  readonly response: Response;
  /** The home page of the app, at the site of the request. */
  readonly homeURL: string;
  /** The error behind the response, if a handler failed. */
  readonly error: HandlerError | undefined;
}

/**
 * Creates the sign-in described by the `LATCHKEY_` variables and these options, for a library with
 * functions of its own, such as `@latchkey/nextjs-auth0`. An app uses `latchkey` instead.
 */
export function createNextHost(options: GivenOptions): NextHost {
  const auth = sharedAuth(optionsWithStore(process.env, options));
  const current = createCurrentRequest(auth);
  const pages = createPagesRequests(auth, () => undefined);
  const variantWith = createVariants(auth);
  return {
    get config() {
      return auth.config;
    },
    configOf: (request) => configOf(auth, request),
    auth: () => authOf(current),
    pagesAuth: async (incoming, outgoing) => (await pages(incoming, outgoing)).auth,
    async webAuth(request, response) {
      const next = nextRequestAfter(auth, request, response);
      if (next !== null) return (await auth.host.receiveUnguarded(next)).auth;
      return auth.host.admittedOf(request)?.auth ?? authOf(current);
    },
    route: createRoute(auth, current),
    protect: (own) => createProxy(auth, own),
    isForRoutes: (request) => isForRoutes(request, auth.config),
    respond: (request, { change, ...target }) => respond(variantWith(change), request, target),
  };
}

async function configOf(auth: Auth, given?: Request | IncomingMessage): Promise<Config> {
  if (given === undefined) return configOfCurrent(auth);
  const found = await auth.host.configAt((origin, config) =>
    "socket" in given
      ? nodeRequest(given, origin)
      : nextRequest(given, config ?? auth.config, "other"),
  );
  return found ?? auth.config;
}

async function respond(
  auth: Auth,
  request: Request | IncomingMessage,
  target: RouteOptions,
): Promise<RouteResponse> {
  let { config } = auth;
  const received = await auth.host.receive({}, (origin, atSite) => {
    config = atSite ?? config;
    return "socket" in request
      ? atTarget(nodeRequest(request, origin), target)
      : atTarget(nextRequest(request, config, senderOf(request)), target);
  });
  const parts = "response" in received ? received.response : empty(404);
  const { error } = parts;
  return {
    response: toResponse(parts),
    homeURL: homeURL(config),
    error: error instanceof HandlerError ? error : undefined,
  };
}

function atTarget(request: HostRequest, { path, returnTo }: RouteOptions): HostRequest {
  const url = new URL(request.url);
  const { searchParams } = url;
  if (returnTo !== undefined && !searchParams.has("returnTo"))
    searchParams.set("returnTo", returnTo);
  const target = path + url.search;
  return { ...request, target, url: url.origin + target };
}

const variantMs = 86_400_000;

/**
 * Returns sign-ins which differ in some options and share one store. Keeps the most recent ones.
 */
function createVariants(auth: Auth): (change: RouteOptions["change"]) => Auth {
  const { clock } = ambient;
  const variants = createRecentMap<Auth>({ clock, keepMs: variantMs, atMost: 100 });
  return (change) => {
    const options = optionsOf(auth);
    const changed = change?.(options) ?? {};
    if (Object.keys(changed).length === 0) return auth;
    // A hook finds its call by itself, so two functions count as the same.
    const key = JSON.stringify(changed, (_, value: unknown) =>
      typeof value === "function" ? "function" : value,
    );
    const known = variants.get(key);
    if (known !== undefined) return known;
    const variant = createAuth({ ...options, ...changed });
    variants.add(key, variant);
    return variant;
  };
}

/** Returns the next request after a response with a session, `null` if it has none. */
function nextRequestAfter(auth: Auth, request: Request, response: unknown): ToRequest | null {
  if (!(response instanceof Response)) return null;
  const { headers } = response;
  const { name } = auth.config.session;
  const written = headers.getSetCookie().filter((line) => line.startsWith(name));
  if (written.length === 0) return null;
  const cookie = cookieHeaderAfter(request.headers.get("cookie"), written);
  return (_, config) => ({
    ...nextRequest(request, config ?? auth.config, "other"),
    headers: { get: (header) => (header === "cookie" ? cookie : request.headers.get(header)) },
    changes: {
      write: (setCookies) => setCookies.forEach((line) => headers.append("Set-Cookie", line)),
    },
  });
}
