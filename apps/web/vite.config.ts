import { cp, rm } from "node:fs/promises";

import { defaultServerConditions, defineConfig, type Rolldown } from "vite";

import { compileMessages } from "../../packages/pages/build/compile-messages.ts";
import { preactForReact } from "../../packages/pages/build/preact-for-react.ts";
import { compressFiles } from "./build/compress-files.ts";
import { copyAssets } from "./build/copy-assets.ts";

/** Packages of this repository are bundled from their sources: this build never takes old ones. */
const fromSource = "@latchkey/source";

/** "use client" is for frameworks that split by it; it means nothing here. */
const onLog: Rolldown.InputOptions["onLog"] = (level, log, report) => {
  if (log.code !== "MODULE_LEVEL_DIRECTIVE") report(level, log);
};

/**
 * The files for browsers, most of which `@latchkey/pages` has built before, and the server, which
 * bundles its dependencies except pino and optional ones.
 */
export default defineConfig({
  publicDir: false,
  plugins: [compileMessages(), preactForReact()],
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  builder: {
    buildApp: async (builder) => {
      const { ssr } = builder.environments;
      if (ssr !== undefined) await builder.build(ssr);
      const client = new URL("./dist/client/", import.meta.url);
      await rm(client, { recursive: true, force: true });
      await cp(new URL("./public/", import.meta.url), client, { recursive: true });
      const assets = new URL("../../packages/pages/dist/assets.js", import.meta.url);
      await copyAssets(assets, client);
      await compressFiles(client);
    },
  },
  environments: {
    ssr: {
      resolve: {
        conditions: [fromSource, ...defaultServerConditions],
        // One file is read and linked in less time than a hundred are.
        noExternal: [
          "@hono/node-server",
          "@latchkey/pages",
          "bowser",
          "cookie",
          "hono",
          "icu-minify",
          "latchkey",
          "preact",
          "preact-render-to-string",
          "react",
          "valibot",
        ],
      },
      build: {
        outDir: "dist/server",
        target: "node22",
        license: { fileName: "licenses.md" },
        rolldownOptions: {
          onLog,
          // Installed by apps that keep sessions there.
          external: ["redis"],
          input: { main: "src/start/main.ts" },
        },
      },
    },
  },
});
