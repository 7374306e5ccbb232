import {
  CallbackHandlerError,
  getSession,
  handleAuth,
  handleCallback,
  handleLogin,
  IdentityProviderError,
} from "latchkey/next/compat";
import { NextResponse } from "next/server";

/** Ben may not sign in. */
async function afterCallback(request, session) {
  if (session.user.sub === "person-ben") return undefined;
  return { ...session, seenBy: new URL(request.url).pathname };
}

async function callback(request, context) {
  const response = await handleCallback(request, context, { afterCallback });
  const session = await getSession(request, response);
  if (session) return response;
  return NextResponse.redirect(`${process.env.LATCHKEY_BASE_URL}/?denied`, response);
}

export const GET = handleAuth({
  login: handleLogin({ returnTo: "/profile" }),
  signup: handleLogin({ authorizationParams: { screen_hint: "signup" }, returnTo: "/profile" }),
  callback,
  onError(request, error) {
    const isDenied = error.cause instanceof IdentityProviderError;
    const { code, status } = error;
    const { error: reason, errorDescription } = isDenied ? error.cause : {};
    const isOfCallback = error instanceof CallbackHandlerError;
    return Response.json({ code, isOfCallback, reason, errorDescription }, { status });
  },
});
