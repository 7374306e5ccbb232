import type { HostDescription } from "../suite/host.ts";

export default {
  title: "Nitro 3",
  hasPages: false,
  authFiles: ["server/plugins/sign-in.ts"],
  hasClientRouter: false,
  hasRedis: true,
  devServer: {
    page: "server/routes/private/index.ts",
    losesMemory: true,
  },
  belowShop: [{ file: "nitro.config.ts", behind: "defineConfig({", put: '\n  baseURL: "/shop/",' }],
} satisfies HostDescription;
