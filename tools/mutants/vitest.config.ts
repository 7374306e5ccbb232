import { defineConfig } from "vitest/config";

import { compileMessages } from "../../packages/pages/build/compile-messages.ts";

const conditions = ["@latchkey/source", "node", "development|production"];

/**
 * The tests of the engine and the web application, in one project: mutants are made nowhere else.
 * The command chooses the files.
 */
export default defineConfig({
  plugins: [compileMessages()],
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["packages/latchkey/{src,test}/**/*.test.ts", "apps/web/src/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**", "packages/latchkey/src/react/**"],
    setupFiles: ["tools/vitest/setup.ts"],
    pool: "threads",
    // A worker for each file would cost each mutant most of its time.
    isolate: false,
    testTimeout: 10_000,
    expect: { poll: { timeout: 10_000 } },
    execArgv: ["--conditions=@latchkey/source", "--disable-warning=ExperimentalWarning"],
  },
});
