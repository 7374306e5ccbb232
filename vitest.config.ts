import { defineConfig } from "vitest/config";

// One process, one module registry: ten times faster on two cores. A test file that cannot leave
// the globals as it found them is named `*.isolated.test.ts` and gets a worker of its own.
const sourceFirst = {
  resolve: { conditions: ["@latchkey/source", "module", "node", "development|production"] },
  ssr: {
    resolve: { conditions: ["@latchkey/source", "module", "node", "development|production"] },
  },
};
const tests = "{packages,apps}/*/{src,test}/**/*.test.{ts,tsx}";
const toolTests = "tools/**/*.test.{ts,mjs}";
const isolatedTests = "{packages,apps}/*/{src,test}/**/*.isolated.test.{ts,tsx}";
const never = ["**/node_modules/**", "**/dist/**"];

export default defineConfig({
  test: {
    pool: "threads",
    maxWorkers: 2,
    testTimeout: 10_000,
    passWithNoTests: false,
    execArgv: ["--conditions=@latchkey/source", "--disable-warning=ExperimentalWarning"],
    projects: [
      {
        ...sourceFirst,
        extends: true,
        test: {
          name: "tests",
          include: [tests, toolTests],
          exclude: [...never, isolatedTests],
          isolate: false,
        },
      },
      {
        ...sourceFirst,
        extends: true,
        test: { name: "isolated", include: [isolatedTests], exclude: never, isolate: true },
      },
    ],
  },
});
