import type { HostDescription } from "../suite/host.ts";

export default {
  title: "SvelteKit 3",
  hasPages: true,
  hasClientRouter: true,
  hasRedis: true,
  clientFolder: "build/client",
  devServer: {
    page: "src/routes/private/+page.svelte",
    auth: "src/hooks.server.ts",
    belowShop: [
      { file: "vite.config.ts", behind: "adapter: adapter(),", put: ' paths: { base: "/shop" },' },
    ],
  },
} satisfies HostDescription;
