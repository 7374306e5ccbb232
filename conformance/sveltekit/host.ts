import type { HostDescription } from "../suite/host.ts";

export default {
  title: "SvelteKit 3",
  hasPages: true,
  authFiles: ["src/hooks.server.ts"],
  hasClientRouter: true,
  hasRedis: true,
  clientFolder: "build/client",
  devServer: {
    page: "src/routes/private/+page.svelte",
  },
  belowShop: ["vite.config.ts", "suite.config.ts"].map((file) => ({
    file,
    behind: "adapter: adapter(),",
    put: ' paths: { base: "/shop" },',
  })),
  dataAddress: "/private/__data.json",
} satisfies HostDescription;
