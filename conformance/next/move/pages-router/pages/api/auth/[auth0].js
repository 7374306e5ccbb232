import { handleAuth, handleLogin, handleProfile } from "@auth0/nextjs-auth0";

export default handleAuth({
  async login(request, response) {
    await handleLogin(request, response, { returnTo: "/profile" });
  },
  signup: handleLogin({
    authorizationParams: { screen_hint: "signup", max_age: 3600 },
    returnTo: "/profile",
  }),
  profile: handleProfile({}),
});
