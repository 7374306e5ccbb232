import { defineConfig } from "vitest/config";

const conditions = ["@latchkey/source", "module", "node", "development|production"];

/** Whole runtimes and frameworks start here: one after the other, with time. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["conformance/*/*.test.ts"],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    execArgv: ["--conditions=@latchkey/source"],
  },
});
