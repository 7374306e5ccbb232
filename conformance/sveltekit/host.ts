import type { HostDescription } from "../suite/host.ts";

export default {
  title: "SvelteKit 3",
  hasPages: true,
  hasClientRouter: true,
  hasRedis: true,
  clientFolder: "build/client",
} satisfies HostDescription;
