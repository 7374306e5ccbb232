import type { NextConfig } from "next";

// An example may lie below a folder with a lock file of its own.
const root = import.meta.dirname;

export default { turbopack: { root }, outputFileTracingRoot: root } satisfies NextConfig;
