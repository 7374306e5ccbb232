import type { HostDescription } from "../suite/host.ts";

export default {
  title: "Express 4",
  hasPages: false,
  hasClientRouter: false,
  hasAPI: true,
  hasRedis: true,
} satisfies HostDescription;
