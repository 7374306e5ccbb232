import {
  CallbackHandlerError,
  getSession,
  handleAuth,
  handleCallback,
  handleLogin,
  IdentityProviderError,
} from "@auth0/nextjs-auth0";
import { NextResponse } from "next/server";

/** Ben may not sign in. */
async function afterCallback(request, session) {
  if (session.user.sub === "person-ben") return undefined;
  return { ...session, seenBy: new URL(request.url).pathname };
}

async function callback(request, context) {
  const response = await handleCallback(request, context, { afterCallback });
  const session = await getSession(request, response);
  response.cookies.set("seen", "yes");
  if (session) return response;
  return NextResponse.redirect(`${process.env.AUTH0_BASE_URL}/?denied`, response);
}

export const GET = handleAuth({
  login: handleLogin({ returnTo: "/profile" }),
  signup: handleLogin({
    authorizationParams: { screen_hint: "signup", max_age: 3600 },
    returnTo: "/profile",
  }),
  callback,
  onError(request, error) {
    const isDenied = error.cause instanceof IdentityProviderError;
    const { code, status } = error;
    const { error: reason, errorDescription } = isDenied ? error.cause : {};
    const isOfCallback = error instanceof CallbackHandlerError;
    return Response.json({ code, isOfCallback, reason, errorDescription }, { status });
  },
});
