import type { HostDescription } from "../suite/host.ts";

export default {
  title: "Astro 7",
  hasPages: true,
  authFiles: ["src/middleware.ts"],
  hasClientRouter: true,
  // @astrojs/node makes a `Request` of everything, which throws for these.
  failsAt: { methods: ["TRACE"], hosts: ["user@evil.example"] },
  hasRedis: true,
  clientFolder: "dist/client",
  devServer: {
    page: "src/pages/private.astro",
  },
  belowShop: [{ file: "astro.config.mjs", behind: "defineConfig({", put: ' base: "/shop",' }],
} satisfies HostDescription;
