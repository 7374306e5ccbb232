import type { Options } from "../../../auth.ts";
import { type GivenOptions, optionsWithStore } from "../../environment/auth-from-environment.ts";
import { createCurrentRequest } from "../current-request.ts";
import { createRoute } from "../route.ts";
import { sharedAuth } from "../shared-auth.ts";
import { createAuthOfCaller } from "./auth-of-caller.ts";
import { createGuards, type Guards } from "./guards.ts";
import { createHandlers, type Handlers } from "./handlers.ts";
import { createSessionFunctions, type SessionFunctions } from "./session.ts";

export {
  AccessTokenError,
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

/** The codes of an `AccessTokenError`, by the names of nextjs-auth0 3.x. */
export const AccessTokenErrorCode = {
  MISSING_SESSION: "ERR_MISSING_SESSION",
  MISSING_ACCESS_TOKEN: "ERR_MISSING_ACCESS_TOKEN",
  MISSING_REFRESH_TOKEN: "ERR_MISSING_REFRESH_TOKEN",
  EXPIRED_ACCESS_TOKEN: "ERR_EXPIRED_ACCESS_TOKEN",
  INSUFFICIENT_SCOPE: "ERR_INSUFFICIENT_SCOPE",
  FAILED_REFRESH_GRANT: "ERR_FAILED_REFRESH_GRANT",
} as const;
export type AccessTokenErrorCode = (typeof AccessTokenErrorCode)[keyof typeof AccessTokenErrorCode];

export type ConfigParameters = GivenOptions;
export type InitAuth0 = typeof initAuth0;

/** Everything that nextjs-auth0 3.x offers on the server. */
export interface Auth0Server extends SessionFunctions, Guards, Handlers {}

/** Sign-in by the names and shapes of nextjs-auth0 3.x, with the `LATCHKEY_` variables and these options. */
export function initAuth0(options: GivenOptions = {}): Auth0Server {
  const auth = sharedAuth(landingAtHome(optionsWithStore(process.env, options)));
  const current = createCurrentRequest(auth);
  const authOf = createAuthOfCaller(auth, current);
  const session = createSessionFunctions(authOf);
  const route = createRoute(auth, current);
  return {
    ...session,
    ...createGuards({ auth, authOf, route, session }),
    ...createHandlers(auth),
  };
}

/** As there, logout lands on the base URL. */
function landingAtHome(options: Options): Options {
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
