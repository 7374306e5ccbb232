import { defineHandler } from "nitro";

export default defineHandler(({ context }) =>
  context.auth.login({ returnTo: "/private", params: { screen_hint: "signup", max_age: 600 } }),
);
