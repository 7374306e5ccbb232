export default defineNuxtConfig({
  compatibilityDate: "2026-11-01",
  telemetry: false,
  typescript: { strict: true },
  nitro: { experimental: { websocket: true } },
  routeRules: {
    "/public/cached": { swr: 60 },
    "/members/cached": { swr: 60 },
    "/members/moved": { redirect: "/public/cached-data" },
    "/members/passed-on": { proxy: "/public/cached-data" },
    "/members/written": { prerender: true },
    "/members/**": { headers: { "cache-control": "public, max-age=600" } },
  },
});
