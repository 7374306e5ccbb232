/** The published bundle: one file per entry point, with shared chunks (decision 0062). */
import path from "node:path";
import { defineConfig } from "rolldown";

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

const license = `/*! Includes @clack/prompts and @clack/core (c) Nate Moore, sisteransi (c) Terkel Gjervig Nielsen,
fast-wrap-ansi, fast-string-width and fast-string-truncated-width (c) James Garbutt, Fabio Spampinato.
MIT License: permission is granted, free of charge, to deal in the software without restriction,
provided that this notice is included. It is provided "as is", without warranty of any kind. */`;

export default defineConfig({
  input: Object.fromEntries(entryPoints.map((name) => [name, path.resolve("src", name)])),
  external: (name) => !ofCommand.test(name) && !name.startsWith(".") && !path.isAbsolute(name),
  resolve: { mainFields: ["module", "main"] },
  platform: "neutral",
  output: {
    dir: bundle,
    cleanDir: true,
    chunkFileNames: "chunks/[name].js",
    banner: ({ moduleIds }) => (moduleIds.some((id) => id.includes("@clack")) ? license : ""),
    comments: { jsdoc: false },
    sourcemap: true,
  },
});
