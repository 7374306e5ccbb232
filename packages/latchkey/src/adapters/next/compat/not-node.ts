/** Stands for `latchkey/next/compat` where Next bundles for browsers or for its Edge runtime: by the same names. */
export * from "./errors.ts";
export { Session } from "./types.ts";

function refuse(): never {
  throw new Error(
    'latchkey/next/compat runs on Node.js. A file with "use client" imports UserProvider, useUser and withPageAuthRequired of latchkey/react/compat. A page or a route handler leaves out runtime = "edge", and middleware.ts exports config with runtime: "nodejs"; from Next.js 16 on it is called proxy.ts.',
  );
}

export {
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
