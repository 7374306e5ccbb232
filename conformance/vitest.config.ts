import path from "node:path";
import { pathToFileURL } from "node:url";
import { defineConfig } from "vitest/config";

import type { HostDescription } from "./suite/host.ts";

const name = process.env["CONFORMANCE_HOST"] ?? "";
const hostFile = path.resolve("conformance", name, "host.ts");
const { default: description } = (await import(pathToFileURL(hostFile).href)) as {
  readonly default: HostDescription;
};
const left = [
  ...(description.hasPages ? [] : ["conformance/suite/pages.test.ts"]),
  ...(description.devServer === undefined ? ["conformance/suite/dev.test.ts"] : []),
  ...(description.belowShop === undefined ? ["conformance/suite/below-path.test.ts"] : []),
];
const conditions = ["@latchkey/source", "module", "node", "development|production"];

/** One host at a time: its processes start one after the other, with time. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["conformance/suite/*.test.ts", `conformance/${name}/*.test.ts`],
    exclude: left,
    provide: { host: { ...description, name } },
    pool: "forks",
    fileParallelism: false,
    // These end only what hangs: a busy machine takes its time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    execArgv: ["--conditions=@latchkey/source", "--disable-warning=ExperimentalWarning"],
  },
});
