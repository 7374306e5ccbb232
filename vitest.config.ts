import { defineConfig } from "vitest/config";

import { compileMessages } from "./packages/pages/build/compile-messages.ts";
import { compileCache } from "./tools/start/compile-cache.ts";
import { HostsFirst } from "./tools/vitest/hosts-first.ts";

// One module registry for each worker: ten times faster on two cores. A test file that cannot leave
// the globals as it found them is named `*.isolated.test.ts` and gets a worker of its own.
// Without "module": what stands under it is for bundlers, and Node cannot always import it.
const published = ["node", "development|production"];
const conditions = ["@latchkey/source", ...published];
const besideTheSource = "{packages,apps}/*/src/**/*.test.{ts,tsx}";
const tools = "{tools,bench}/**/*.test.ts";
const isolated = "{packages,apps}/*/{src,test}/**/*.isolated.test.{ts,tsx}";
/** Tests that take seconds or need servers: part of `npm test`, too long for `npm run check`. */
const apart = "{packages,apps}/*/test/**/*.test.{ts,tsx}";
/** Soaks, clusters, long outages: part of `npm run ci`, too long for `npm test`. */
const long = "{{packages,apps}/*/{src,test},tools}/**/*.long.test.ts";
const provider = "packages/provider/src/**/*.test.ts";
const longConformance = "attacks|concurrency|id-token|return-to|*-property|provider-*";
const conformance = `packages/latchkey/test/conformance/**/!(${longConformance}).test.ts`;
/** One suite for all hosts. It drives the published files. */
const hosts = "packages/latchkey/test/hosts/**/*.test.ts";
const quiet = "--disable-warning=ExperimentalWarning";
const never = ["**/node_modules/**", "**/dist/**"];

function project(name: string, include: string[], exclude: string[] = [], isolate = false) {
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
  plugins: [compileMessages()],
  test: {
    setupFiles: ["tools/vitest/setup.ts"],
    // A started process then needs a quarter of the time.
    env: compileCache,
    // To start a child copies the page tables of its parent: 100 ms with the memory of all threads.
    pool: "forks",
    // More than the two cores of a small machine: many tests wait for a time limit or a process.
    maxWorkers: 3,
    sequence: { sequencer: HostsFirst },
    // These end only a test that hangs: a busy machine is slow, not wrong.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      project("quick", [besideTheSource, conformance, tools], [isolated, provider, long]),
      project("isolated", [isolated], [], true),
      project("thorough", [apart, provider], [isolated, hosts, conformance, long]),
      project("long", [long]),
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
