import { defineConfig } from "vitest/config";

// One process, one module registry: ten times faster on two cores. A test file that cannot leave
// the globals as it found them is named `*.isolated.test.ts` and gets a worker of its own.
// Without "module": what stands under it is for bundlers, and Node cannot always import it.
const published = ["node", "development|production"];
const conditions = ["@latchkey/source", ...published];
const besideTheSource = "{packages,apps}/*/src/**/*.test.{ts,tsx}";
const tools = "{tools,bench}/**/*.test.ts";
const isolated = "{packages,apps}/*/{src,test}/**/*.isolated.test.{ts,tsx}";
/** All that takes seconds or needs servers: part of `npm test`, too long for `npm run check`. */
const apart = "{packages,apps}/*/test/**/*.test.{ts,tsx}";
const provider = "packages/provider/src/**/*.test.ts";
const longConformance = "attacks|concurrency|id-token|return-to|*-property|provider-*";
const conformance = `packages/latchkey/test/conformance/**/!(${longConformance}).test.ts`;
/** One suite for all hosts: it drives the files that are published. */
const hosts = "packages/latchkey/test/hosts/**/*.test.ts";
const quiet = "--disable-warning=ExperimentalWarning";
const never = ["**/node_modules/**", "**/dist/**"];

function project(name: string, include: string[], exclude: string[], isolate = false) {
  return {
    extends: true as const,
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    test: {
      name,
      include,
      exclude: [...never, ...exclude],
      isolate,
      execArgv: ["--conditions=@latchkey/source", quiet],
    },
  };
}

export default defineConfig({
  test: {
    setupFiles: ["tools/vitest/setup.ts"],
    pool: "threads",
    maxWorkers: 2,
    // A machine that does other work beside is slow, and not wrong: these end only what hangs.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      project("quick", [besideTheSource, conformance, tools], [isolated, provider]),
      project("isolated", [isolated], [], true),
      project("thorough", [apart, provider], [isolated, hosts, conformance]),
      {
        extends: true,
        resolve: { conditions: published },
        ssr: { resolve: { conditions: published } },
        test: {
          name: "published",
          include: [hosts],
          isolate: false,
          execArgv: [quiet],
          globalSetup: "tools/vitest/build-published.ts",
        },
      },
    ],
  },
});
