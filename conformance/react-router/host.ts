import type { HostDescription } from "../suite/host.ts";

export default {
  title: "React Router 8, framework mode",
  hasPages: true,
  hasRedis: true,
  clientFolder: "build/client",
} satisfies HostDescription;
