import type { HostDescription } from "../suite/host.ts";

export default {
  title: "Deno",
  hasPages: false,
  hasClientRouter: false,
  hasAPI: true,
  hasRedis: true,
} satisfies HostDescription;
