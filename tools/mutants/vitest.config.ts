import { defineConfig } from "vitest/config";

const conditions = ["@latchkey/source", "module", "node", "development|production"];

/** The tests of the engine, in one project: mutants elsewhere are not made. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["packages/latchkey/{src,test}/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**", "packages/latchkey/src/react/**"],
    setupFiles: ["tools/vitest/setup.ts"],
    pool: "threads",
    testTimeout: 10_000,
    execArgv: ["--conditions=@latchkey/source", "--disable-warning=ExperimentalWarning"],
  },
});
