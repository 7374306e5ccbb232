import { createNextHost, type GivenOptions } from "latchkey/next";

import { type AuthorizationParams, toSettings } from "./authorization-params.ts";
import { createAuthOfCaller } from "./auth-of-caller.ts";
import { createGuards, type Guards } from "./guards.ts";
import { createHandlers, type Handlers } from "./handlers.ts";
import { withMoveWarnings } from "./move-warnings.ts";
import { createSessionFunctions, type SessionFunctions } from "./session.ts";

export {
  AccessTokenError,
  AccessTokenErrorCode,
  ApplicationError,
  AuthError,
  CallbackHandlerError,
  HandlerError,
  IdentityProviderError,
  LoginHandlerError,
  LogoutHandlerError,
  MalformedStateCookieError,
  MissingStateCookieError,
  MissingStateParamError,
  ProfileHandlerError,
} from "./errors.ts";
export * from "./types.ts";

export interface ConfigParameters extends Omit<GivenOptions, "authorizationParams"> {
  readonly authorizationParams?: AuthorizationParams;
}
export type InitAuth0 = typeof initAuth0;

/** All functions of nextjs-auth0 3.x on the server. */
export interface Auth0Server extends SessionFunctions, Guards, Handlers {}

/** Creates the functions of nextjs-auth0 3.x from the `LATCHKEY_` variables and these options. */
export function initAuth0(options: ConfigParameters = {}): Auth0Server {
  const { authorizationParams, ...others } = options;
  const given = landAtHome({ ...toSettings(authorizationParams), ...others });
  const host = createNextHost(withMoveWarnings(process.env, given));
  const authOf = createAuthOfCaller(host);
  const session = createSessionFunctions(authOf);
  return { ...session, ...createGuards({ host, authOf, session }), ...createHandlers(host) };
}

/**
 * Makes logout land on the base URL, as in nextjs-auth0, unless a variable or the app says more.
 */
function landAtHome(options: GivenOptions): GivenOptions {
  const { LATCHKEY_ROUTES_POST_LOGOUT_REDIRECT: variable = "" } = process.env;
  if (variable.trim() !== "") return options;
  return { ...options, routes: { postLogoutRedirect: "", ...options.routes } };
}

const fromEnvironment = initAuth0();

export const {
  getSession,
  getAccessToken,
  updateSession,
  touchSession,
  withPageAuthRequired,
  withApiAuthRequired,
  withMiddlewareAuthRequired,
  handleAuth,
  handleLogin,
  handleLogout,
  handleCallback,
  handleProfile,
  handleBackchannelLogout,
} = fromEnvironment;
