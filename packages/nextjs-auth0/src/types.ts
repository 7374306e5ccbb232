/** The types of nextjs-auth0 3.x, so that annotated code still compiles. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { MaybePromise } from "latchkey";
import type { NextApiRequest, NextApiResponse } from "next";
import type { NextMiddleware, NextRequest } from "next/server.js";

import type { AuthorizationParams } from "./authorization-params.ts";
import type { HandlerError } from "./errors.ts";

// oxlint-disable typescript/no-explicit-any -- the types of 3.x: apps read claims and parameters
// without a check, and the objects of Next differ between its versions

export type Claims = Record<string, any>;

/** The data of a session. */
export class Session {
  user: Claims;
  idToken?: string | undefined;
  accessToken?: string | undefined;
  /** Space-separated. */
  accessTokenScope?: string | undefined;
  /** Epoch seconds. */
  accessTokenExpiresAt?: number;
  refreshToken?: string | undefined;
  [own: string]: any;

  constructor(user: Claims) {
    this.user = user;
  }
}

type Node = readonly [NextApiRequest | IncomingMessage, NextApiResponse | ServerResponse];
type Web = readonly [request: Request, response: Response];

/** The result of a hook: the session to keep. */
type Kept = MaybePromise<Session>;

export type AfterRefreshPageRoute = (...given: [...Node, session: Session]) => Kept;
export type AfterRefreshAppRoute = (session: Session) => Kept;
export type AfterRefresh = AfterRefreshPageRoute | AfterRefreshAppRoute;

/** Options of `getAccessToken`. */
export interface AccessTokenRequest {
  readonly scopes?: readonly string[];
  /** Refreshes even a token that is still valid. */
  readonly refresh?: boolean;
  /** Returns the session to keep after a refresh. Request and response of the caller come first. */
  readonly afterRefresh?: AfterRefresh;
}

export interface GetAccessTokenResult {
  readonly accessToken: string;
}

/** Returns the session of a request; `null` if no user is signed in. */
export type GetSession = (...caller: Node | Web | readonly []) => Promise<Session | null>;
/** Returns an access token, valid for at least a minute. Throws an `AccessTokenError`. */
export type GetAccessToken = (
  ...given:
    | readonly [...Node, AccessTokenRequest?]
    | readonly [...Web, AccessTokenRequest?]
    | readonly [AccessTokenRequest?]
) => Promise<GetAccessTokenResult>;
/** Replaces the session. Does nothing if no user is signed in. */
export type UpdateSession = (
  ...given: readonly [...Node, Session] | readonly [...Web, Session] | readonly [Session]
) => Promise<void>;
/** Renews the session. */
export type TouchSession = (...caller: Node | Web | readonly []) => Promise<void>;

export interface LoginOptions {
  /** The address after login, unless the request has a `returnTo`. */
  readonly returnTo?: string;
  readonly authorizationParams?: AuthorizationParams;
}

export interface LogoutOptions {
  /** The address after logout. */
  readonly returnTo?: string;
}

/**
 * The session to keep; else no user is signed in, and the browser gets this response or goes home.
 */
type KeptAfterCallback = MaybePromise<Session | Response | undefined>;

export type AfterCallbackPageRoute = (
  request: NextApiRequest,
  response: NextApiResponse,
  session: Session,
  state?: Record<string, any>,
) => KeptAfterCallback;
export type AfterCallbackAppRoute = (
  request: NextRequest,
  session: Session,
  state?: Record<string, any>,
) => KeptAfterCallback;
export type AfterCallback = AfterCallbackPageRoute | AfterCallbackAppRoute;

export interface CallbackOptions {
  readonly afterCallback?: AfterCallback;
  readonly organization?: string;
}

export type AfterRefetchPageRoute = (
  request: NextApiRequest,
  response: NextApiResponse,
  session: Session,
) => Kept;
export type AfterRefetchAppRoute = (request: NextRequest, session: Session) => Kept;
export type AfterRefetch = AfterRefetchPageRoute | AfterRefetchAppRoute;

export interface ProfileOptions {
  /** Loads the profile from the provider first. */
  readonly refetch?: boolean;
  /** Returns the session to keep. */
  readonly afterRefetch?: AfterRefetch;
}

/** The second argument of a route handler: `params` is a promise since Next.js 15. */
export interface AppRouteHandlerFnContext {
  params: any;
}
export type AppRouteHandlerFn = (
  request: NextRequest,
  context: AppRouteHandlerFnContext,
) => MaybePromise<Response>;
export type NextAppRouterHandler = AppRouteHandlerFn;
export type NextPageRouterHandler = (request: NextApiRequest, response: NextApiResponse) => unknown;
// Version 3.x has these two names the wrong way round.
export type AppRouterHandler = NextPageRouterHandler;
export type PageRouterHandler = NextAppRouterHandler;

/** Handles a request. Throws a `HandlerError`. */
interface Handler<Given> {
  (request: NextRequest, context: AppRouteHandlerFnContext, options?: Given): Promise<Response>;
  (request: NextApiRequest, response: NextApiResponse, options?: Given): Promise<void>;
  (request: any, responseOrContext: any, options?: Given): Promise<any>;
}

/** Handles a request, or makes a handler with options of its own. */
export interface AuthHandler<Given> extends Handler<Given> {
  (provider?: (request: any) => Given): Handler<Given>;
  (options?: Given): Handler<Given>;
}

export type HandleLogin = AuthHandler<LoginOptions>;
export type HandleLogout = AuthHandler<LogoutOptions>;
export type HandleCallback = AuthHandler<CallbackOptions>;
export type HandleProfile = AuthHandler<ProfileOptions>;
export type HandleBackchannelLogout = Handler<object>;

export type PageRouterOnError = (
  request: NextApiRequest,
  response: NextApiResponse,
  error: HandlerError,
) => MaybePromise<void>;
export type AppRouterOnError = (
  request: NextRequest,
  error: HandlerError,
  // oxlint-disable-next-line typescript/no-invalid-void-type -- the type of 3.x
) => MaybePromise<Response | void>;

export type Handlers =
  | Record<string, NextPageRouterHandler | NextAppRouterHandler>
  | { readonly onError?: PageRouterOnError | AppRouterOnError };
/** All routes below one path. The handlers of the app replace ours, or come in addition. */
export type HandleAuth = (handlers?: Handlers) => any;

export type WithApiAuthRequiredAppRoute = (handler: AppRouteHandlerFn) => AppRouteHandlerFn;
export type WithApiAuthRequiredPageRoute = (
  handler: NextPageRouterHandler,
) => NextPageRouterHandler;
/** Makes a route handler, or an API route of `pages/`, respond 401 if no user is signed in. */
export type WithApiAuthRequired = WithApiAuthRequiredAppRoute & WithApiAuthRequiredPageRoute;

export interface AppRouterPageRouteOpts {
  params?: any;
  searchParams?: any;
}
export type AppRouterPageRoute = (given: any) => MaybePromise<any>;
export interface WithPageAuthRequiredAppRouterOptions {
  readonly returnTo?: string | ((given: AppRouterPageRouteOpts) => MaybePromise<string>);
}
export type WithPageAuthRequiredAppRouter = <P extends AppRouterPageRoute>(
  page: P,
  options?: WithPageAuthRequiredAppRouterOptions,
) => P;

export type GetServerSidePropsResultWithSession<_Props = any> = any;
export type PageRoute<Props = any, _Query = any> = (
  context: any,
) => Promise<GetServerSidePropsResultWithSession<Props>>;
export interface WithPageAuthRequiredPageRouterOptions<Props = any, Query = any> {
  readonly getServerSideProps?: PageRoute<Props, Query>;
  readonly returnTo?: string;
}
export type WithPageAuthRequiredPageRouter = <Props = any, Query = any>(
  options?: WithPageAuthRequiredPageRouterOptions<Props, Query>,
) => PageRoute<Props, Query>;
/** Guards a page in `app/`, or makes the `getServerSideProps` of one in `pages/`. */
export type WithPageAuthRequired = WithPageAuthRequiredAppRouter & WithPageAuthRequiredPageRouter;

export interface WithMiddlewareAuthRequiredOptions {
  /** The app's own middleware for signed-in users. */
  readonly middleware?: NextMiddleware;
  /** The address after sign-in. Default: the address of the request. */
  readonly returnTo?: string | ((request: NextRequest) => MaybePromise<string>);
}
/** Makes a `proxy.ts` or `middleware.ts` that guards pages. */
export type WithMiddlewareAuthRequired = (
  options?: NextMiddleware | WithMiddlewareAuthRequiredOptions,
) => NextMiddleware;
