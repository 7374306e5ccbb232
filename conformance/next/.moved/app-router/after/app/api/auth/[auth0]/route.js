import { handleAuth, handleCallback, handleLogin } from "latchkey/next/compat";

async function afterCallback(request, session) {
  return { ...session, seenBy: new URL(request.url).pathname };
}

export const GET = handleAuth({
  login: handleLogin({ returnTo: "/profile" }),
  signup: handleLogin({ authorizationParams: { screen_hint: "signup" }, returnTo: "/profile" }),
  callback: handleCallback({ afterCallback }),
});
