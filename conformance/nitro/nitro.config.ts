import { defineConfig } from "nitro";

export default defineConfig({
  serverDir: "./server",
  features: { websocket: true },
  compatibilityDate: "2026-11-01",
  preset: "node-server",
  errorHandler: "./server/error",
  prerender: { routes: ["/members/written"] },
  routeRules: {
    "/public/cached": { swr: 60 },
    "/members/cached": { swr: 60 },
    "/members/moved": { redirect: "/public/cached-data" },
    "/members/passed-on": { proxy: "/public/cached-data" },
    // No server listens there.
    "/members/elsewhere": { proxy: "http://127.0.0.1:9/" },
    "/members/**": { headers: { "cache-control": "public, max-age=600" } },
  },
});
