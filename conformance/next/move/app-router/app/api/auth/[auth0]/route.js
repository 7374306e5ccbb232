import { handleAuth, handleCallback, handleLogin } from "@auth0/nextjs-auth0";

async function afterCallback(request, session) {
  return { ...session, seenBy: new URL(request.url).pathname };
}

export const GET = handleAuth({
  login: handleLogin({ returnTo: "/profile" }),
  signup: handleLogin({ authorizationParams: { screen_hint: "signup" }, returnTo: "/profile" }),
  callback: handleCallback({ afterCallback }),
});
