import path from "node:path";
import type { NextConfig } from "next";

const root = path.join(import.meta.dirname, "..");

/** The settings that change addresses, caching and how the app is served, all at the same time. */
export default {
  basePath: "/shop",
  trailingSlash: true,
  cacheComponents: true,
  partialPrefetching: true,
  experimental: { authInterrupts: true },
  skipProxyUrlNormalize: true,
  output: "standalone",
  turbopack: { root },
  outputFileTracingRoot: root,
} satisfies NextConfig;
