import {
  createCookielessExchange,
  createExchange,
  type Exchange,
  innerExchange,
} from "../request/exchange.ts";
import type { RequestAuth } from "./request-auth.ts";
import type { Config } from "../config/config.ts";
import type { Context } from "../context.ts";
import { Refusal } from "../errors/refusal.ts";
import type { HostRequest } from "../http/auth-request.ts";
import { withHeaders } from "../http/headers.ts";
import { homeTarget, parseTarget } from "../http/request-target.ts";
import type { ResponseParts } from "../http/response-parts.ts";
import type { MaybePromise } from "../time/maybe-promise.ts";
import { errorResponse } from "../routes/error-response.ts";
import type { AdmittedRequest, Received } from "./admitted-request.ts";
import { guardOf } from "../request/guard/guarded-paths.ts";
import type { HostContext } from "./host-context.ts";
import type { OpenedEngine } from "./open-context.ts";
import type { OpenedPart, Receive } from "./part.ts";
import { withClientLog } from "./client-log.ts";
import { respondByPages } from "./respond-by-pages.ts";
import { respondWith } from "./respond-with-session.ts";
import { respondByRoute } from "./respond-by-route.ts";
import { createRouteTable, type RouteTable } from "./route-table.ts";
import { createSchemes, type Schemes } from "./schemes.ts";
import type { Sites } from "./sites.ts";
import { admitAtUnknownHost, receiveAtUnknownHost } from "./at-unknown-host.ts";

/** Sign-in as adapters use it. Apps use `auth.respond`, or an adapter. */
export interface Host {
  /**
   * Answers a request or admits it. Never throws.
   *
   * @param key - the object by which handlers find the request, for `auth.of`
   * @param toRequest - see {@link ToRequest}
   * @param outer - the outer request, for internal sub-requests of the app
   */
  receive(key: object, toRequest: ToRequest, outer?: AdmittedRequest): Promise<Received>;
  /**
   * Admits a request which the application handles already, without a guard.
   *
   * @throws {ConfigError} if the settings are wrong or the store cannot be opened
   */
  receiveUnguarded(toRequest: ToRequest, outer?: AdmittedRequest): Promise<AdmittedRequest>;
  /**
   * Returns the settings at the site of a request; `null` if no site has its host.
   *
   * @throws {ConfigError} if the settings are wrong or the store cannot be opened
   */
  configAt(toRequest: ToRequest): Promise<Config | null>;
  /** The admitted request, so that a host with sign-in mounted twice admits it once. */
  admittedOf(key: object): AdmittedRequest | undefined;
  /** Adds the session's headers to the application's response, or to a copy of an immutable one. */
  commit(admitted: AdmittedRequest, response: Response): Response;
  /** @throws {TypeError} if the request was not admitted */
  authOf(key: object): RequestAuth;
}

/**
 * Makes the request of a host one for sign-in.
 *
 * @param origin - of the base URL, on which every request is read
 * @param config - `null` while the settings are wrong; the request is then read for its headers
 */
export type ToRequest = (origin: string, config: Config | null) => HostRequest;

export interface HostOptions {
  /** Checks the settings, opens the store and the parts, once. */
  readonly open: () => Promise<OpenedEngine>;
  /** Makes the response if the settings or the store cannot be used. */
  readonly onFault: (error: unknown, toRequest: ToRequest) => MaybePromise<ResponseParts>;
}

export function createHost({ open, onFault }: HostOptions): Host {
  // A property of the request: a WeakMap would keep both until the next full garbage collection
  // (0025).
  const place = Symbol("admitted");
  type Placed = { [place]?: AdmittedRequest };
  const admittedOf = (key: object) => (key as Placed | undefined)?.[place];
  const before = Symbol("headers before");
  let opened: OpenedHost | undefined;
  const openOnce = async () => (opened ??= openedHost(await open()));

  return {
    async receive(key, toRequest, outer) {
      try {
        const { sites, receive } = opened ?? (await openOnce());
        const { context, request } = requestAt(sites, toRequest, outer);
        const received =
          context === null
            ? receiveAtUnknownHost(sites.primary, request)
            : await receive(context, request, outer);
        if ("admitted" in received) (key as Placed)[place] = received.admitted;
        return received;
      } catch (error) {
        return { response: await onFault(error, toRequest) };
      }
    },
    async receiveUnguarded(toRequest, outer) {
      const { sites, schemes } = opened ?? (await openOnce());
      const { context: shared, request } = requestAt(sites, toRequest, outer);
      if (shared === null) return admitAtUnknownHost(sites.primary, request);
      const context = withClientLog(shared, request);
      const target = parseTarget(request.target) ?? homeTarget;
      const exchange = exchangeOf(context, request, outer);
      return schemes.admit({ context, exchange, target, outer });
    },
    async configAt(toRequest) {
      const { sites } = opened ?? (await openOnce());
      return requestAt(sites, toRequest, undefined).context?.config ?? null;
    },
    admittedOf,
    commit: (admitted, response) => withHeaders(response, admitted.commit(), before),
    authOf(key) {
      const admitted = admittedOf(key);
      if (admitted !== undefined) return admitted.auth;
      throw new TypeError(
        "This request has not passed sign-in: handle it behind auth.respond or an adapter.",
      );
    },
  };
}

/** What every request needs, opened once. */
interface OpenedHost {
  readonly sites: Sites;
  readonly schemes: Schemes;
  readonly receive: Receive;
}

function openedHost({ sites, opened }: OpenedEngine): OpenedHost {
  const schemes = createSchemes(opened.schemes ?? []);
  const receive = createReceive(schemes, createRouteTable(sites.primary), opened.routes);
  return { sites, schemes, receive: opened.around?.(receive) ?? receive };
}

/**
 * Finds the site of a request, once; `null` if no site has its host. An internal sub-request is for
 * the site of the outer one.
 */
function requestAt(sites: Sites, toRequest: ToRequest, outer: AdmittedRequest | undefined) {
  const at = ({ config }: HostContext) => toRequest(config.origin, config);
  const request = at(sites.primary);
  const context = sites.of(outer?.request ?? request);
  const isOther = context !== null && context !== sites.primary;
  return { context, request: isOther ? at(context) : request };
}

function createReceive(schemes: Schemes, table: RouteTable, routes: OpenedPart["routes"]): Receive {
  return async (shared, request, outer) => {
    const context = withClientLog(shared, request);
    const exchange = exchangeOf(context, request, outer);
    const target = parseTarget(request.target);
    if (target === null) {
      const refusal = new Refusal("target_malformed");
      return respondWith(context, exchange, errorResponse(context, exchange, "guard", refusal));
    }
    const call = { context, exchange, target, outer, ...guardOf(context, request, target) };
    const found =
      routes?.(context, request, target) ?? respondByRoute(context, table, exchange, target);
    // Most requests are for the app: nothing is awaited for them.
    const response =
      (found instanceof Promise ? await found : found) ?? respondByPages(context, call);
    return response === null ? schemes.receive(call) : respondWith(context, exchange, response);
  };
}

function exchangeOf(context: Context, request: HostRequest, outer?: AdmittedRequest): Exchange {
  const cookieOf = ({ headers }: HostRequest) => headers.get("cookie");
  const isShared = outer !== undefined && cookieOf(outer.request) === cookieOf(request);
  if (!isShared) return createExchange(context, request);
  // The cookies of a caller with a token do not count, there and here.
  return outer.exchange === null
    ? createCookielessExchange(context, request)
    : innerExchange(outer.exchange, request);
}
