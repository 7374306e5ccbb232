import { handleAuth, handleCallback, handleLogin, handleProfile } from "@auth0/nextjs-auth0";

async function afterCallback(request, response, session) {
  return { ...session, seenBy: request.url.split("?")[0] };
}

export default handleAuth({
  async login(request, response) {
    await handleLogin(request, response, { returnTo: "/profile" });
  },
  signup: handleLogin({ authorizationParams: { screen_hint: "signup" }, returnTo: "/profile" }),
  callback: handleCallback({ afterCallback }),
  profile: handleProfile({}),
});
