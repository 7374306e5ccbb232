import type { HostDescription } from "../suite/host.ts";

export default {
  title: "TanStack Start",
  hasPages: true,
  authFiles: ["src/start.ts", "src/suite/start.ts"],
  hasClientRouter: true,
  hasRedis: true,
  // Public pages call server functions too, so `require()` in each demands a session if needed.
  publicPaths: "/_serverFn/",
  clientFolder: "dist/client",
  devServer: {
    page: "src/routes/private.tsx",
  },
  belowShop: [
    { file: "vite.config.ts", behind: "defineConfig({", put: ' base: "/shop/",' },
    {
      file: "vite.config.ts",
      behind: "tanstackStart(",
      put: '{ router: { basepath: "/shop" } }',
    },
    { file: "suite.config.ts", behind: "defineConfig({", put: ' base: "/shop/",' },
    { file: "suite.config.ts", behind: 'entry: "suite/router"', put: ', basepath: "/shop"' },
  ],
} satisfies HostDescription;
