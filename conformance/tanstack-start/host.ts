import type { HostDescription } from "../suite/host.ts";

export default {
  title: "TanStack Start",
  hasPages: true,
  hasClientRouter: true,
  hasRedis: true,
  // Each server function says with `require()` whether it needs a session: pages for everybody call them too.
  publicPaths: "/_serverFn/",
  clientFolder: "dist/client",
  devServer: {
    page: "src/routes/private.tsx",
    auth: "src/start.ts",
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
