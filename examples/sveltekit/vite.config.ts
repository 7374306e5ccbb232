import adapter from "@sveltejs/adapter-node";
import { sveltekit } from "@sveltejs/kit/vite";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [
    sveltekit({
      adapter: adapter(),
      // Sign-in makes the same check, for all addresses but its own, to which the provider posts.
      csrf: { trustedOrigins: ["*"] },
    }),
  ],
});
