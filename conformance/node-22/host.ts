import type { HostDescription } from "../suite/host.ts";

export default {
  title: "Node 22.18",
  hasPages: false,
  hasClientRouter: false,
  hasAPI: true,
  hasRedis: true,
} satisfies HostDescription;
