import { definePlugin } from "nitro";

/** What an app may do to whatever it sends. */
export default definePlugin(({ hooks }) => {
  hooks.hook("response", ({ headers }, { req }) => {
    if (req.url.endsWith("/members/hooked")) headers.set("Cache-Control", "public, max-age=600");
  });
});
