/** The published bundle: one file per entry point, with shared chunks (decision 0062). */
import path from "node:path";
import { defineConfig } from "rolldown";

import { licenses } from "./build/licenses.ts";
import manifest from "./package.json" with { type: "json" };

const bundle = "dist/bundle";

/** Every file that a part of the manifest names. */
function filesOf(part: string | object): readonly string[] {
  return typeof part === "string" ? [part] : Object.values(part).flatMap(filesOf);
}

/** Name without extension: `adapters/node.ts` of the sources becomes `adapters/node.js`. */
const entryPoints = filesOf([manifest.bin, manifest.exports])
  .map((file) => path.posix.relative(bundle, file))
  .filter((file) => !file.startsWith(".."))
  .map((file) => file.slice(0, -path.extname(file).length));

/** The questions of the command, in chunks of their own: the engine keeps its dependencies. */
const ofCommand = /^(?:@clack\/|fast-string-|fast-wrap-|sisteransi$)/;

export default defineConfig({
  input: Object.fromEntries(entryPoints.map((name) => [name, path.resolve("src", name)])),
  external: (name) => !ofCommand.test(name) && !name.startsWith(".") && !path.isAbsolute(name),
  resolve: { mainFields: ["module", "main"] },
  platform: "neutral",
  output: {
    dir: bundle,
    cleanDir: true,
    chunkFileNames: "chunks/[name].js",
    comments: { jsdoc: false },
    sourcemap: true,
    sourcemapExcludeSources: true,
  },
  plugins: [licenses("licenses.md")],
});
