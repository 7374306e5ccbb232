import path from "node:path";

/** With these variables a process compiles each source once, and not at every start. */
export const compileCache = {
  NODE_COMPILE_CACHE: path.join(import.meta.dirname, "../../.data/compile-cache"),
} as const;
