import type { NextConfig } from "next";

// The folders above this one have lock files of their own.
const root = import.meta.dirname;

export default {
  turbopack: { root },
  rewrites: async () => [{ source: "/public/shown/:path*", destination: "/:path*" }],
  outputFileTracingRoot: root,
} satisfies NextConfig;
