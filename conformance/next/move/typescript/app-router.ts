import {
  type AfterCallbackAppRoute,
  type AppRouteHandlerFnContext,
  AuthError,
  CallbackHandlerError,
  type Claims,
  getAccessToken,
  getSession,
  handleAuth,
  handleCallback,
  handleLogin,
  handleLogout,
  handleProfile,
  type HandlerError,
  IdentityProviderError,
  initAuth0,
  Session,
  updateSession,
  withApiAuthRequired,
  withPageAuthRequired,
} from "@auth0/nextjs-auth0";
import { type NextRequest, NextResponse } from "next/server";
import { createElement } from "react";

const afterCallback: AfterCallbackAppRoute = (request, session, state) => {
  session.user.seenBy = request.nextUrl.pathname;
  session.from = state?.from;
  return session.user.isAdmin ? session : undefined;
};

const withName = (_request: NextRequest, session: Session): Session => session;

export const GET = handleAuth({
  login: handleLogin({ authorizationParams: { audience: "x", screen_hint: "signup" } }),
  signup: handleLogin((request) => ({ returnTo: request.url })),
  logout: handleLogout({ returnTo: "/bye" }),
  profile: handleProfile({ refetch: true, afterRefetch: withName }),
  async callback(request: NextRequest, context: AppRouteHandlerFnContext) {
    try {
      const response = (await handleCallback(request, context, { afterCallback })) as NextResponse;
      const session = await getSession(request, response);
      return session ? response : NextResponse.redirect("https://app.example/denied", response);
    } catch (error) {
      if (error instanceof CallbackHandlerError && error.cause instanceof IdentityProviderError)
        return new Response(`${error.code} ${error.cause.error} ${error.cause.errorDescription}`);
      if (error instanceof AuthError) return new Response(error.code);
      throw error;
    }
  },
  onError(_request: NextRequest, error: HandlerError) {
    const cause: Error | undefined = error.cause;
    console.error(cause?.message);
    return new Response(error.message, { status: error.status || 500 });
  },
});

export const POST = withApiAuthRequired(async (request) => {
  const response = new NextResponse();
  const session = await getSession(request, response);
  const { accessToken } = await getAccessToken({ scopes: ["read"], refresh: true });
  if (session) await updateSession({ ...session, user: { ...session.user, seen: Date.now() } });
  const claims: Claims = session?.user ?? {};
  return NextResponse.json({ email: claims.email.toLowerCase(), accessToken }, response);
});

export const page = withPageAuthRequired(
  async ({ params }) => createElement("p", null, params?.["slug"]),
  { returnTo: ({ params }) => `/orders/${String(params?.["slug"])}` },
);

export const auth0 = initAuth0({
  secret: "a-secret",
  baseURL: "https://app.example",
  issuerBaseURL: "https://op.example",
  clientID: "app",
  clientSecret: "secret",
  authorizationParams: { response_type: "code", scope: "openid", max_age: 300 },
});

export const empty = new Session({ sub: "ada" });
