import path from "node:path";
import type { NextConfig } from "next";

// The packages are in the folder of the repository.
const root = path.join(import.meta.dirname, "../..");

export default { turbopack: { root }, outputFileTracingRoot: root } satisfies NextConfig;
