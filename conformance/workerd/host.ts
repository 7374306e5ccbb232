import type { HostDescription } from "../suite/host.ts";

export default {
  title: "Cloudflare Workers (workerd)",
  hasPages: false,
  hasRedis: false,
} satisfies HostDescription;
