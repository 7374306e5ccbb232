import node from "@astrojs/node";
import { defineConfig } from "astro/config";
import { followSignIn } from "latchkey/astro";

export default defineConfig({
  output: "server",
  adapter: followSignIn(node({ mode: "standalone" })),
  // Sign-in makes the same check, for all addresses but its own, to which the provider posts.
  security: { checkOrigin: false },
});
