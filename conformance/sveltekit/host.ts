import type { HostDescription } from "../suite/host.ts";

export default {
  title: "SvelteKit 3",
  hasPages: true,
  hasClientRouter: true,
  hasRedis: true,
  clientFolder: "build/client",
  hotReload: { page: "src/routes/private/+page.svelte", auth: "src/lib/server/auth.ts" },
} satisfies HostDescription;
