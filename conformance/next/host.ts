import type { HostDescription } from "../suite/host.ts";

export default {
  title: "Next.js 16, app router",
  hasPages: true,
  authFiles: ["auth.ts"],
  inCopies: [{ file: "next.config.ts", behind: "import.meta.dirname", put: ' + "/.."' }],
  hasAPI: true,
  hasClientRouter: true,
  // Next makes a `Request` of everything, which throws for this.
  failsAt: { methods: ["TRACE"] },
  pagesHaveHeadersOfTheirOwn: true,
  errorsCarryNoCookies: true,
  hasRedis: true,
  clientFolder: ".next/static",
  devServer: {
    page: "app/private/page.tsx",
  },
} satisfies HostDescription;
