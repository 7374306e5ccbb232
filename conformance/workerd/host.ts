import type { HostDescription } from "../suite/host.ts";

export default {
  title: "Cloudflare Workers (workerd)",
  hasPages: false,
  hasClientRouter: false,
  hasAPI: true,
  hasRedis: false,
  // What the HTTP parser of workerd does not know, and tunnels.
  failsAt: {
    methods: ["BREW", "CONNECT", "QUERY", "get", "GeT"],
    absoluteTargets: true,
    malformed: true,
  },
} satisfies HostDescription;
