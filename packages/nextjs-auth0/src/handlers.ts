import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";

import type { Config, Options, SessionData } from "latchkey";
import { Refusal } from "latchkey";
import type { NextHost, RouteOptions } from "latchkey/next";
import { NextResponse } from "next/server.js";

import { toSettings } from "./authorization-params.ts";
import { isNode, isRequest } from "./caller.ts";
import { toHandlerError } from "./errors.ts";
import { sendResponse } from "./send-response.ts";
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

/** A request to one of our routes, with the options of its handler. */
interface Call {
  /** Request and response in `pages/`, the request alone in `app/`. */
  readonly caller: readonly [IncomingMessage, ServerResponse] | readonly [Request];
  readonly given: LoginOptions & CallbackOptions & ProfileOptions;
  /** What `afterCallback` returned in place of a session. */
  denied?: { readonly instead: Response | undefined };
}

const calls = new AsyncLocalStorage<Call>();

export function createHandlers(host: NextHost): Handlers {
  const handle = <Given extends object>(
    path: (config: Config) => string,
    change: (options: Options, given: Given) => Partial<Options>,
  ): AuthHandler<Given> => {
    const respond = (first: unknown, second: unknown, given: Given) =>
      answer(
        host,
        { first, second, given },
        {
          path: path(host.config),
          returnTo: (given as LoginOptions).returnTo,
          change: (options) => change(options, given),
        },
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
    handleLogin: handle(({ routes }) => routes.login, changeLogin),
    handleLogout: handle(({ routes }) => routes.logout, changeLogout),
    handleCallback: handle(({ routes }) => routes.callback, changeCallback),
    handleProfile: handle(({ routes }) => routes.me, changeProfile),
    handleBackchannelLogout: handle(
      ({ routes }) => routes.backchannelLogout,
      () => ({}),
    ),
  };
  return { ...own, handleAuth: (given = {}) => dispatch(host, own, given as GivenHandlers) };
}

type OwnHandlers = Omit<Handlers, "handleAuth">;
type GivenHandlers = Readonly<Record<string, AppHandler>> & {
  readonly onError?: (...given: readonly unknown[]) => unknown;
};

function dispatch(
  host: NextHost,
  own: OwnHandlers,
  { onError, ...given }: GivenHandlers,
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
  // The engine has the other routes below the prefix, and a 404 for the rest.
  const others = (path: string): AppHandler => {
    return (first, second) => answer(host, { first, second, given: {} }, { path });
  };
  return async (request: unknown, second: unknown) => {
    // If the app sets `trailingSlash`, each address ends in a slash.
    const path = new URL((request as Request).url, "http://localhost").pathname.replace(/\/$/, "");
    const handler = handlers.get(path.split("/").at(-1) ?? "") ?? others(path);
    try {
      return await handler(request, second);
    } catch (error) {
      const page = errorPages.get(error as object);
      if (onError === undefined && page === undefined) throw error;
      const response = () => page ?? new Response(null, { status: 500 });
      if (!isNode(request)) return (await onError?.(request, error)) ?? response();
      const outgoing = second as ServerResponse;
      await onError?.(request, outgoing, error);
      return outgoing.headersSent ? undefined : sendResponse(response(), outgoing);
    }
  };
}

/** Our page for an error; the client gets it if the app itself sends no response. */
const errorPages = new WeakMap<object, Response>();

interface HandlerCall {
  readonly first: unknown;
  readonly second: unknown;
  readonly given: Call["given"];
}

/** @throws {HandlerError} if the route fails, as nextjs-auth0 does */
async function answer(
  host: NextHost,
  { first, second, given }: HandlerCall,
  options: RouteOptions,
): Promise<Response | void> {
  const call: Call = {
    caller: isNode(first) ? [first, second as ServerResponse] : [first as Request],
    given,
  };
  const [request, outgoing] = call.caller;
  const { response, homeURL, error } = await calls.run(call, () => host.respond(request, options));
  const { denied } = call;
  if (denied === undefined && error !== undefined) {
    const thrown = toHandlerError(error);
    errorPages.set(thrown, response);
    throw thrown;
  }
  const sent = denied === undefined ? response : denyResponse(homeURL, response, denied.instead);
  // Apps set cookies of their own on what the handlers return.
  if (outgoing === undefined) return new NextResponse(sent.body, sent);
  const location = given.afterCallback && outgoing.getHeader("Location");
  // In `pages/`, `afterCallback` may have set another address to go to.
  if (typeof location === "string" && sent.status === 302) sent.headers.set("Location", location);
  return outgoing.headersSent ? undefined : sendResponse(sent, outgoing);
}

/**
 * Responds to a sign-in denied by `afterCallback`: with the app's own response, or the way home.
 */
function denyResponse(homeURL: string, response: Response, instead?: Response): Response {
  const home = { Location: homeURL, "Cache-Control": "no-store" };
  const denied = instead ?? new Response(null, { status: 302, headers: home });
  const headers = new Headers(denied.headers);
  for (const cookie of response.headers.getSetCookie()) headers.append("Set-Cookie", cookie);
  return new Response(denied.body, { status: denied.status, headers });
}

function changeLogin(options: Options, given: LoginOptions): Partial<Options> {
  if (given.authorizationParams === undefined) return {};
  const { authorizationParams = {}, ...settings } = toSettings(given.authorizationParams);
  const { organization, ...others } = authorizationParams;
  return {
    ...settings,
    authorizationParams: { ...options.authorizationParams, ...others },
    ...(organization === undefined ? {} : { organization }),
  };
}

function changeLogout(options: Options, { returnTo }: LogoutOptions): Partial<Options> {
  if (returnTo === undefined) return {};
  return { routes: { ...options.routes, postLogoutRedirect: returnTo } };
}

function changeCallback(
  { hooks }: Options,
  { afterCallback, organization }: CallbackOptions,
): Partial<Options> {
  return {
    ...(organization === undefined ? {} : { organization }),
    ...(afterCallback === undefined
      ? {}
      : { hooks: { ...hooks, afterCallback: callAfterCallback } }),
  };
}

/** @throws {Refusal} if it keeps no session: then no user is signed in */
async function callAfterCallback(session: SessionData): Promise<SessionData> {
  const call = calls.getStore();
  const hook = call?.given.afterCallback as Hook | undefined;
  if (call === undefined || hook === undefined) return session;
  const kept = await hook(...call.caller, session, {});
  if (isSession(kept)) return kept;
  call.denied = { instead: kept instanceof Response ? kept : undefined };
  throw new Refusal("forbidden", { detail: "afterCallback kept no session" });
}

type Hook = (...given: readonly unknown[]) => unknown;

function isSession(value: unknown): value is SessionData {
  const { user } = (value ?? {}) as { readonly user?: { readonly sub?: unknown } | null };
  return typeof user?.sub === "string";
}

function changeProfile(
  { hooks }: Options,
  { refetch, afterRefetch }: ProfileOptions,
): Partial<Options> {
  if (refetch !== true) return {};
  if (afterRefetch === undefined) return { refetchUserinfo: true };
  return { refetchUserinfo: true, hooks: { ...hooks, beforeSave: callAfterRefetch } };
}

async function callAfterRefetch(session: SessionData): Promise<SessionData> {
  const { caller = [], given } = calls.getStore() ?? {};
  const hook = given?.afterRefetch as Hook | undefined;
  return ((await hook?.(...caller, session)) ?? session) as SessionData;
}
