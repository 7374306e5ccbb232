import type { HostDescription } from "../suite/host.ts";

export default {
  title: "Bun",
  hasPages: false,
  hasClientRouter: false,
  hasAPI: true,
  hasRedis: true,
  // What the HTTP parser of Bun does not know.
  failsAt: { methods: ["BREW", "QUERY", "get", "GeT"] },
} satisfies HostDescription;
