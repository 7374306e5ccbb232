import type { HostDescription } from "../suite/host.ts";

export default {
  title: "React Router 8, framework mode",
  hasPages: true,
  hasClientRouter: true,
  hasRedis: true,
  // `react-router-serve` makes a `Request` of everything, which throws for these.
  failsAt: { methods: ["TRACE"], absoluteTargets: true },
  clientFolder: "build/client",
  hotReload: { page: "app/routes/private.tsx", auth: "app/auth.server.ts" },
} satisfies HostDescription;
