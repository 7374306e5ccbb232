import type { HostDescription } from "../suite/host.ts";

export default {
  title: "Nitro 3",
  hasPages: false,
  hasClientRouter: false,
  hasRedis: true,
  belowShop: [{ file: "nitro.config.ts", behind: "defineConfig({", put: '\n  baseURL: "/shop/",' }],
} satisfies HostDescription;
