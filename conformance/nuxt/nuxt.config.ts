export default defineNuxtConfig({
  compatibilityDate: "2026-11-01",
  telemetry: false,
  typescript: { strict: true },
  routeRules: { "/public/cached": { swr: 60 } },
});
