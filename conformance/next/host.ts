import type { HostDescription } from "../suite/host.ts";

export default {
  title: "Next.js 16, app router",
  hasPages: true,
  hasRedis: true,
  clientFolder: ".next/static",
} satisfies HostDescription;
