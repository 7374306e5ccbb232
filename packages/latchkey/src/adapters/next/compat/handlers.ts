import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";

import { NextResponse } from "next/server.js";

import { homeURL } from "../../../access/addresses.ts";
import { type Auth, createAuth, type Options } from "../../../auth.ts";
import { ambient } from "../../../config/ambient.ts";
import type { Config } from "../../../config/config.ts";
import { HandlerError as HandlerFailure } from "../../../errors/handler-error.ts";
import { Refusal } from "../../../errors/refusal.ts";
import type { HostRequest } from "../../../http/auth-request.ts";
import { cookieHeaders, noStoreHeaders, setCookiesIn, withHeaders } from "../../../http/headers.ts";
import { empty, redirect, type ResponseParts, toResponse } from "../../../http/response-parts.ts";
import { createRecentMap } from "../../../recent-map.ts";
import { isSessionData, type SessionData } from "../../../session/session.ts";
import { hostRequest as nodeRequest } from "../../node-http/node-request.ts";
import { write } from "../../node-http/node-response.ts";
import { askingOf, hostRequest as nextRequest } from "../next-request.ts";
import { optionsOf } from "../shared-auth.ts";
import { settingsOf } from "./authorization-params.ts";
import { isNode, isRequest } from "./caller.ts";
import { type HandlerError, toHandlerError } from "./errors.ts";
import type {
  AuthHandler,
  CallbackOptions,
  HandleAuth,
  HandleBackchannelLogout,
  HandleCallback,
  HandleLogin,
  HandleLogout,
  HandleProfile,
  LoginOptions,
  LogoutOptions,
  ProfileOptions,
} from "./types.ts";

/** A handler of either router, as the app gives it. */
type AppHandler = (request: unknown, responseOrContext: unknown) => unknown;

export interface Handlers {
  readonly handleLogin: HandleLogin;
  readonly handleLogout: HandleLogout;
  readonly handleCallback: HandleCallback;
  readonly handleProfile: HandleProfile;
  readonly handleBackchannelLogout: HandleBackchannelLogout;
  readonly handleAuth: HandleAuth;
}

/** A request that one of our routes answers, with the options that its handler was given. */
interface Call {
  /** Request and response in `pages/`, the request alone in `app/`. */
  readonly caller: readonly [IncomingMessage, ServerResponse] | readonly [Request];
  readonly given: LoginOptions & CallbackOptions & ProfileOptions;
  /** What `afterCallback` has returned in place of a session. */
  denied?: { readonly instead: Response | undefined };
}

const calls = new AsyncLocalStorage<Call>();

export function createHandlers(auth: Auth): Handlers {
  const variants = createVariants(auth);
  const handle = <Given extends object>(
    path: (config: Config) => string,
    change: (options: Options, given: Given) => Partial<Options>,
  ): AuthHandler<Given> => {
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
    }) as AuthHandler<Given>;
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
  return { ...own, handleAuth: (given = {}) => dispatch(auth, own, given as GivenHandlers) };
}

type OwnHandlers = Omit<Handlers, "handleAuth">;
type GivenHandlers = Readonly<Record<string, AppHandler>> & {
  readonly onError?: (...given: readonly unknown[]) => unknown;
};

function dispatch(auth: Auth, own: OwnHandlers, { onError, ...given }: GivenHandlers): AppHandler {
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
    // With `trailingSlash` each address ends in one.
    const path = new URL((request as Request).url, "http://localhost").pathname.replace(/\/$/, "");
    const handler = handlers.get(path.split("/").at(-1) ?? "") ?? passOn(auth, path);
    try {
      return await handler(request, second);
    } catch (error) {
      const page = pages.get(error as object);
      if (onError === undefined && page === undefined) throw error;
      if (isNode(request)) {
        const outgoing = second as ServerResponse;
        await onError?.(request, outgoing, error);
        return outgoing.headersSent ? undefined : write(page ?? failed, outgoing);
      }
      return (await onError?.(request, error)) ?? toResponse(page ?? failed);
    }
  };
}

/** Our page for an error, which is sent where the app does not respond to it. */
const pages = new WeakMap<object, ResponseParts>();
const failed = empty(500);

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

interface HandlerCall {
  readonly first: unknown;
  readonly second: unknown;
  readonly given: Call["given"];
  readonly path: (config: Config) => string;
}

/** @throws {HandlerError} where the route fails, as nextjs-auth0 does */
async function answer(
  auth: Auth,
  { first, second, given, path }: HandlerCall,
): Promise<Response | void> {
  const at = (request: HostRequest) => addressed(request, path(auth.config), given.returnTo);
  const call: Call = {
    caller: isNode(first) ? [first, second as ServerResponse] : [first as Request],
    given,
  };
  const [request, outgoing] = call.caller;
  const received = await calls.run(call, () =>
    auth.host.receive({}, (origin) =>
      at(
        isNode(request)
          ? nodeRequest(request, origin)
          : nextRequest(request, auth.config, askingOf(request)),
      ),
    ),
  );
  const parts = responseOf(auth, call, "response" in received ? received.response : empty(404));
  if (outgoing !== undefined) return outgoing.headersSent ? undefined : write(parts, outgoing);
  const response = toResponse(parts);
  // Apps set cookies of their own on what the handlers return.
  return withCookies(call.denied?.instead, parts) ?? new NextResponse(response.body, response);
}

function responseOf(auth: Auth, { caller, given, denied }: Call, parts: ResponseParts) {
  const [, outgoing] = caller;
  const own = given.afterCallback === undefined ? undefined : outgoing?.getHeader("Location");
  if (denied !== undefined) {
    const setCookies = cookieHeaders(setCookiesIn(parts.headers));
    const home = redirect(homeURL(auth.config), 302, [...setCookies, ...noStoreHeaders]);
    return withLocation(home, own);
  }
  if (parts.error instanceof HandlerFailure) throw thrown(parts.error, parts);
  return withLocation(parts, own);
}

function thrown(failure: HandlerFailure, page: ResponseParts): HandlerError {
  const error = toHandlerError(failure);
  pages.set(error, page);
  return error;
}

/** In `pages/`, `afterCallback` may have named another address to go to. */
function withLocation(parts: ResponseParts, location: unknown): ResponseParts {
  if (typeof location !== "string" || parts.status !== 302) return parts;
  const rest = parts.headers.filter(([name]) => name !== "Location");
  return { ...parts, headers: [["Location", location], ...rest] };
}

function withCookies(response: Response | undefined, parts: ResponseParts): Response | undefined {
  return response && withHeaders(response, cookieHeaders(setCookiesIn(parts.headers)));
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

function loginChange(options: Options, given: LoginOptions): Partial<Options> {
  if (given.authorizationParams === undefined) return {};
  const { authorizationParams = {}, ...settings } = settingsOf(given.authorizationParams);
  const { organization, ...others } = authorizationParams;
  return {
    ...settings,
    authorizationParams: { ...options.authorizationParams, ...others },
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

/** @throws {Refusal} where it keeps no session: then nobody is signed in */
async function askAfterCallback(session: SessionData): Promise<SessionData> {
  const call = calls.getStore();
  const ask = call?.given.afterCallback as Hook | undefined;
  if (call === undefined || ask === undefined) return session;
  const kept = await ask(...call.caller, session, {});
  if (isSessionData(kept)) return kept;
  call.denied = { instead: kept instanceof Response ? kept : undefined };
  throw new Refusal("forbidden", { detail: "afterCallback has kept no session" });
}

type Hook = (...given: readonly unknown[]) => unknown;

function profileChange(
  { hooks }: Options,
  { refetch, afterRefetch }: ProfileOptions,
): Partial<Options> {
  if (refetch !== true) return {};
  if (afterRefetch === undefined) return { refetchUserinfo: true };
  return { refetchUserinfo: true, hooks: { ...hooks, beforeSave: askAfterRefetch } };
}

async function askAfterRefetch(session: SessionData): Promise<SessionData> {
  const { caller = [], given } = calls.getStore() ?? {};
  const ask = given?.afterRefetch as Hook | undefined;
  return ((await ask?.(...caller, session)) ?? session) as SessionData;
}
