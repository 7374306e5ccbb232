/** The types of nextjs-auth0 3.x by name, so that code that is annotated with them goes on compiling. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { NextApiRequest, NextApiResponse } from "next";
import type { NextMiddleware, NextRequest } from "next/server.js";

import type { MaybePromise } from "../../../maybe-promise.ts";
import type { AuthorizationParams } from "./authorization-params.ts";
import type { HandlerError } from "./errors.ts";

// oxlint-disable typescript/no-explicit-any -- as there: apps read claims and parameters without a check, and what Next
// hands to pages and handlers differs between its versions

export type Claims = Record<string, any>;

/** What a session holds. */
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

/** What a hook returns: the session to keep. */
type Kept = MaybePromise<Session>;

export type AfterRefreshPageRoute = (...given: [...Node, session: Session]) => Kept;
export type AfterRefreshAppRoute = (session: Session) => Kept;
export type AfterRefresh = AfterRefreshPageRoute | AfterRefreshAppRoute;

/** What an access token must be good for. */
export interface AccessTokenRequest {
  readonly scopes?: readonly string[];
  /** Refresh even though the token at hand is still good. */
  readonly refresh?: boolean;
  /** Returns the session to keep after a refresh. It gets request and response first where they were handed over. */
  readonly afterRefresh?: AfterRefresh;
}

export interface GetAccessTokenResult {
  readonly accessToken: string;
}

/** The session of a request; `null` where nobody is signed in. */
export type GetSession = (...caller: Node | Web | readonly []) => Promise<Session | null>;
/** An access token that is good for at least another minute. Throws an `AccessTokenError`. */
export type GetAccessToken = (
  ...given:
    | readonly [...Node, AccessTokenRequest?]
    | readonly [...Web, AccessTokenRequest?]
    | readonly [AccessTokenRequest?]
) => Promise<GetAccessTokenResult>;
/** Replaces the session. Does nothing where nobody is signed in. */
export type UpdateSession = (
  ...given: readonly [...Node, Session] | readonly [...Web, Session] | readonly [Session]
) => Promise<void>;
/** Renews the session. */
export type TouchSession = (...caller: Node | Web | readonly []) => Promise<void>;

export interface LoginOptions {
  /** Where to go afterwards, unless the request says so. */
  readonly returnTo?: string;
  readonly authorizationParams?: AuthorizationParams;
}

export interface LogoutOptions {
  /** Where to go afterwards. */
  readonly returnTo?: string;
}

/** The session to keep. Without one nobody is signed in, and the browser gets the response that was made, or goes home. */
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
  /** Asks the provider for the profile first. */
  readonly refetch?: boolean;
  /** Returns the session to keep. */
  readonly afterRefetch?: AfterRefetch;
}

/** What Next.js gives to a route handler, and checks in its build: `params` is a promise since Next.js 15. */
export interface AppRouteHandlerFnContext {
  params: any;
}
export type AppRouteHandlerFn = (
  request: NextRequest,
  context: AppRouteHandlerFnContext,
) => MaybePromise<Response>;
export type NextAppRouterHandler = AppRouteHandlerFn;
export type NextPageRouterHandler = (request: NextApiRequest, response: NextApiResponse) => unknown;
// So they are called there, the wrong way round.
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
  // oxlint-disable-next-line typescript/no-invalid-void-type -- as there
) => MaybePromise<Response | void>;

export type Handlers =
  | Record<string, NextPageRouterHandler | NextAppRouterHandler>
  | { readonly onError?: PageRouterOnError | AppRouterOnError };
/** All routes below one path; those that are given take the place of ours, or come in addition. */
export type HandleAuth = (handlers?: Handlers) => any;

export type WithApiAuthRequiredAppRoute = (handler: AppRouteHandlerFn) => AppRouteHandlerFn;
export type WithApiAuthRequiredPageRoute = (
  handler: NextPageRouterHandler,
) => NextPageRouterHandler;
/** A route handler, or an API route of `pages/`, that responds 401 where nobody is signed in. */
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
/** For `app/`: a page that only signed-in people see. For `pages/`: its `getServerSideProps`. */
export type WithPageAuthRequired = WithPageAuthRequiredAppRouter & WithPageAuthRequiredPageRouter;

export interface WithMiddlewareAuthRequiredOptions {
  /** What the app does itself for signed-in people. */
  readonly middleware?: NextMiddleware;
  /** Where to go after signing in. Default: the address that was asked for. */
  readonly returnTo?: string | ((request: NextRequest) => MaybePromise<string>);
}
/** A `proxy.ts` or `middleware.ts` in front of pages that only signed-in people see. */
export type WithMiddlewareAuthRequired = (
  options?: NextMiddleware | WithMiddlewareAuthRequiredOptions,
) => NextMiddleware;
