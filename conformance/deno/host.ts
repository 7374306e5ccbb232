import type { HostDescription } from "../suite/host.ts";

export default {
  title: "Deno",
  hasPages: false,
  hasClientRouter: false,
  hasRedis: true,
} satisfies HostDescription;
