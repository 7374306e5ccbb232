import type { Options } from "../../../auth.ts";
import { type GivenOptions, optionsWithStore } from "../../environment/auth-from-environment.ts";
import { createCurrentRequest } from "../current-request.ts";
import { createRoute } from "../route.ts";
import { sharedAuth } from "../shared-auth.ts";
import { type AuthorizationParams, settingsOf } from "./authorization-params.ts";
import { createAuthOfCaller } from "./auth-of-caller.ts";
import { createGuards, type Guards } from "./guards.ts";
import { createHandlers, type Handlers } from "./handlers.ts";
import { withWarningsOfMove } from "./left-behind.ts";
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

/** Everything that nextjs-auth0 3.x offers on the server. */
export interface Auth0Server extends SessionFunctions, Guards, Handlers {}

/** Sign-in by the names and shapes of nextjs-auth0 3.x, with the `LATCHKEY_` variables and these options. */
export function initAuth0(options: ConfigParameters = {}): Auth0Server {
  const { authorizationParams, ...others } = options;
  const given = withWarningsOfMove(process.env, { ...settingsOf(authorizationParams), ...others });
  const auth = sharedAuth(landingAtHome(optionsWithStore(process.env, given)));
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
