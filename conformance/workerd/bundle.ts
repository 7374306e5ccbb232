import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { rolldown } from "rolldown";

/** A worker as one module. */
export interface Bundle {
  readonly code: string;
  /** In bytes, as it is sent to the platform. */
  readonly gzipped: number;
}

/** Bundles the worker from the sources of the package. */
export async function bundleWorker(): Promise<Bundle> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL("worker.ts", import.meta.url)),
    external: /^node:/,
    resolve: { conditionNames: ["@latchkey/source", "workerd", "worker", "import", "default"] },
    logLevel: "warn",
  });
  const { output } = await bundle.generate({ format: "esm", minify: true });
  const { code } = output[0];
  return { code, gzipped: gzipSync(code).byteLength };
}
