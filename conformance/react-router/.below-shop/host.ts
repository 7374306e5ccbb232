import type { HostDescription } from "../suite/host.ts";

export default {
  title: "React Router 8, framework mode",
  hasPages: true,
  authFiles: ["app/root.tsx"],
  hasClientRouter: true,
  hasRedis: true,
  // `react-router-serve` makes a `Request` of everything, which throws for these.
  failsAt: {
    methods: ["TRACE"],
    absoluteTargets: true,
    hosts: ["", "a, b", "localhost, evil.example", "[::1", "localhost:99999", "%00", "1.2.3.4.5"],
  },
  clientFolder: "build/client",
  devServer: {
    page: "app/routes/private.tsx",
  },
  belowShop: [
    { file: "vite.config.ts", behind: "defineConfig({", put: ' base: "/shop/",' },
    { file: "react-router.config.ts", behind: "export default {", put: ' basename: "/shop/",' },
  ],
  dataAddress: "/private.data",
} satisfies HostDescription;
