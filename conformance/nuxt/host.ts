import type { HostDescription } from "../suite/host.ts";

export default {
  title: "Nuxt 4",
  hasPages: true,
  authFiles: ["server/plugins/sign-in.ts"],
  hasClientRouter: true,
  hasRedis: true,
  publicPaths: "/_nuxt/",
  clientFolder: ".output/public",
} satisfies HostDescription;
