import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";

import { type Auth, createAuth, type Options } from "../../../auth.ts";
import { ambient } from "../../../config/ambient.ts";
import type { Config } from "../../../config/config.ts";
import type { HostRequest } from "../../../http/auth-request.ts";
import { empty, toResponse } from "../../../http/response-parts.ts";
import type { MaybePromise } from "../../../maybe-promise.ts";
import { createRecentMap } from "../../../recent-map.ts";
import { hostRequest as nodeRequest } from "../../node-request.ts";
import { write } from "../../node-shape.ts";
import { askingOf, hostRequest as nextRequest } from "../next-request.ts";
import { optionsOf } from "../shared-auth.ts";
import { isNode, isRequest } from "./caller.ts";
import type { Session } from "./session.ts";

export interface LoginOptions {
  /** Where to go afterwards, unless the request says so. */
  readonly returnTo?: string;
  readonly authorizationParams?: Readonly<Record<string, string>>;
}

export interface LogoutOptions {
  /** Where to go afterwards. */
  readonly returnTo?: string;
}

// oxlint-disable typescript/no-explicit-any -- their parameters differ between app/ and pages/
export interface CallbackOptions {
  /** Returns the session to keep. Gets the request, in `pages/` the response too, and the session last. */
  readonly afterCallback?: (...given: any[]) => MaybePromise<Session>;
  readonly organization?: string;
}

export interface ProfileOptions {
  /** Asks the provider for the profile first. */
  readonly refetch?: boolean;
  /** Returns the session to keep. Gets the request, in `pages/` the response too, and the session last. */
  readonly afterRefetch?: (...given: any[]) => MaybePromise<Session>;
}

/** Handles a request, or makes a handler with options of its own. */
export interface Handle<Given> {
  (request: any, responseOrContext: any, options?: Given): Promise<any>;
  (
    options?: Given | ((request: any) => Given),
  ): (request: any, responseOrContext: any) => Promise<any>;
}

type AppHandler = (request: any, responseOrContext: any) => any;

export interface Handlers {
  readonly handleLogin: Handle<LoginOptions>;
  readonly handleLogout: Handle<LogoutOptions>;
  readonly handleCallback: Handle<CallbackOptions>;
  readonly handleProfile: Handle<ProfileOptions>;
  readonly handleBackchannelLogout: Handle<object>;
  /** All routes below one path; those that are given take the place of ours, or come in addition. */
  handleAuth(
    handlers?: Readonly<Record<string, AppHandler>> & {
      readonly onError?: (...given: any[]) => any;
    },
  ): AppHandler;
}
// oxlint-enable typescript/no-explicit-any

/** A request that one of our routes answers, with the options that its handler was given. */
interface Call {
  /** Request and response in `pages/`, the request alone in `app/`. */
  readonly caller: readonly [IncomingMessage, ServerResponse] | readonly [Request];
  readonly given: LoginOptions & CallbackOptions & ProfileOptions;
}

const calls = new AsyncLocalStorage<Call>();

export function createHandlers(auth: Auth): Handlers {
  const variants = createVariants(auth);
  const handle = <Given extends object>(
    path: (config: Config) => string,
    change: (options: Options, given: Given) => Partial<Options>,
  ): Handle<Given> => {
    const respond = (first: unknown, second: unknown, given: Given) =>
      answer(
        variants((options) => change(options, given)),
        { first, second, given, path },
      );
    return ((first: unknown, second: unknown, third: Given) => {
      if (isNode(first) || isRequest(first)) return respond(first, second, third ?? {});
      return (request: unknown, responseOrContext: unknown) => {
        const given = typeof first === "function" ? first(request) : first;
        return respond(request, responseOrContext, (given ?? {}) as Given);
      };
    }) as Handle<Given>;
  };

  const own = {
    handleLogin: handle(({ routes }) => routes.login, loginChange),
    handleLogout: handle(({ routes }) => routes.logout, logoutChange),
    handleCallback: handle(({ routes }) => routes.callback, callbackChange),
    handleProfile: handle(({ routes }) => routes.me, profileChange),
    handleBackchannelLogout: handle(
      ({ routes }) => routes.backchannelLogout,
      () => ({}),
    ),
  };
  return { ...own, handleAuth: (given = {}) => dispatch(auth, own, given) };
}

type OwnHandlers = Omit<Handlers, "handleAuth">;

function dispatch(
  auth: Auth,
  own: OwnHandlers,
  { onError, ...given }: NonNullable<Parameters<Handlers["handleAuth"]>[0]>,
): AppHandler {
  const handlers = new Map<string, AppHandler>(
    Object.entries({
      login: own.handleLogin,
      logout: own.handleLogout,
      callback: own.handleCallback,
      me: given["profile"] ?? own.handleProfile,
      "backchannel-logout": own.handleBackchannelLogout,
      ...given,
    }),
  );
  return async (request: unknown, second: unknown) => {
    const pathname = new URL((request as Request).url, "http://localhost").pathname;
    const handler = handlers.get(pathname.split("/").at(-1) ?? "") ?? passOn(auth, pathname);
    try {
      return await handler(request, second);
    } catch (error) {
      if (onError === undefined) throw error;
      return isNode(request) ? onError(request, second, error) : onError(request, error);
    }
  };
}

/** Everything else below the prefix: what the engine has there, or 404. */
function passOn(auth: Auth, pathname: string): AppHandler {
  return (first: unknown, second: unknown) =>
    answer(auth, { first, second, given: {}, path: () => pathname });
}

/** Sign-ins that differ in some options and use the same store; those that were used last are kept. */
function createVariants(auth: Auth): (change: (options: Options) => Partial<Options>) => Auth {
  const variants = createRecentMap<Auth>({ clock: ambient.clock, keepMs: 86_400_000, atMost: 100 });
  return (change) => {
    const options = optionsOf(auth);
    const changed = change(options);
    if (Object.keys(changed).length === 0) return auth;
    // Hooks are found by the call, so that all functions are the same.
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

interface Asked {
  readonly first: unknown;
  readonly second: unknown;
  readonly given: Call["given"];
  readonly path: (config: Config) => string;
}

async function answer(auth: Auth, { first, second, given, path }: Asked): Promise<Response | void> {
  const at = (request: HostRequest) => addressed(request, path(auth.config), given.returnTo);
  if (isNode(first)) {
    const outgoing = second as ServerResponse;
    const received = await calls.run({ caller: [first, outgoing], given }, () =>
      auth.host.receive({}, (origin) => at(nodeRequest(first, origin))),
    );
    return write("response" in received ? received.response : empty(404), outgoing);
  }
  const request = first as Request;
  const received = await calls.run({ caller: [request], given }, () =>
    auth.host.receive({}, () => at(nextRequest(request, auth.config, askingOf(request)))),
  );
  return toResponse("response" in received ? received.response : empty(404));
}

/** An app may serve a route of ours at an address of its own. */
function addressed(request: HostRequest, path: string, returnTo: string | undefined): HostRequest {
  const url = new URL(request.url);
  const { searchParams } = url;
  if (returnTo !== undefined && !searchParams.has("returnTo"))
    searchParams.set("returnTo", returnTo);
  const target = path + url.search;
  return { ...request, target, url: url.origin + target };
}

function loginChange(options: Options, { authorizationParams }: LoginOptions): Partial<Options> {
  if (authorizationParams === undefined) return {};
  const { scope, organization, ...rest } = authorizationParams;
  return {
    authorizationParams: { ...options.authorizationParams, ...rest },
    ...(scope === undefined ? {} : { scope }),
    ...(organization === undefined ? {} : { organization }),
  };
}

function logoutChange(options: Options, { returnTo }: LogoutOptions): Partial<Options> {
  if (returnTo === undefined) return {};
  return { routes: { ...options.routes, postLogoutRedirect: returnTo } };
}

function callbackChange(
  { hooks }: Options,
  { afterCallback, organization }: CallbackOptions,
): Partial<Options> {
  return {
    ...(organization === undefined ? {} : { organization }),
    ...(afterCallback === undefined
      ? {}
      : { hooks: { ...hooks, afterCallback: askAfterCallback } }),
  };
}

async function askAfterCallback(session: Session): Promise<Session> {
  const { caller, given } = calls.getStore() ?? noCall;
  return (await given.afterCallback?.(...caller, session, {})) ?? session;
}

function profileChange(
  { hooks }: Options,
  { refetch, afterRefetch }: ProfileOptions,
): Partial<Options> {
  if (refetch !== true) return {};
  if (afterRefetch === undefined) return { refetchUserinfo: true };
  return { refetchUserinfo: true, hooks: { ...hooks, beforeSave: askAfterRefetch } };
}

async function askAfterRefetch(session: Session): Promise<Session> {
  const { caller, given } = calls.getStore() ?? noCall;
  return (await given.afterRefetch?.(...caller, session)) ?? session;
}

const noCall: Pick<Call, "given"> & { readonly caller: readonly [] } = { caller: [], given: {} };
