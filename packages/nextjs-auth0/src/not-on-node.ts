/**
 * Replaces the entry point in bundles for browsers and for the Edge runtime of Next. It has the
 * same names, and imports nothing of Node.js.
 */
export { AccessTokenErrorCode } from "./access-token-error-code.ts";
export { Session } from "./types.ts";

function refuse(): never {
  throw new Error(
    '@latchkey/nextjs-auth0 runs on Node.js. In a file with "use client" import UserProvider, useUser and withPageAuthRequired from @latchkey/nextjs-auth0/client. In a page or a route handler delete runtime = "edge". In middleware.ts export config with runtime: "nodejs"; from Next.js 16 on, call the file proxy.ts.',
  );
}

/** No function here throws it: `instanceof` is false. */
class NotThrown extends Error {}

export {
  NotThrown as AccessTokenError,
  NotThrown as ApplicationError,
  NotThrown as AuthError,
  NotThrown as CallbackHandlerError,
  NotThrown as HandlerError,
  NotThrown as IdentityProviderError,
  NotThrown as LoginHandlerError,
  NotThrown as LogoutHandlerError,
  NotThrown as MalformedStateCookieError,
  NotThrown as MissingStateCookieError,
  NotThrown as MissingStateParamError,
  NotThrown as ProfileHandlerError,
  refuse as getAccessToken,
  refuse as getSession,
  refuse as handleAuth,
  refuse as handleBackchannelLogout,
  refuse as handleCallback,
  refuse as handleLogin,
  refuse as handleLogout,
  refuse as handleProfile,
  refuse as initAuth0,
  refuse as touchSession,
  refuse as updateSession,
  refuse as withApiAuthRequired,
  refuse as withMiddlewareAuthRequired,
  refuse as withPageAuthRequired,
};
