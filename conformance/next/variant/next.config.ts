import path from "node:path";
import type { NextConfig } from "next";

const root = path.join(import.meta.dirname, "..");

/** Settings for addresses, caching and serving, all at the same time. */
export default {
  basePath: "/shop",
  trailingSlash: true,
  cacheComponents: true,
  partialPrefetching: true,
  skipProxyUrlNormalize: true,
  output: "standalone",
  turbopack: { root },
  outputFileTracingRoot: root,
} satisfies NextConfig;
