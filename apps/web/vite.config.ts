import {
  defaultClientConditions,
  defaultServerConditions,
  defineConfig,
  type EnvironmentOptions,
  type Rolldown,
} from "vite";

import { compressFiles } from "./build/compress-files.ts";

/** The React layer is bundled from its source, so that this build never takes an old one. */
const fromSource = "@latchkey/source";

/** "use client" is for frameworks that split by it; it means nothing here. */
const onLog: Rolldown.InputOptions["onLog"] = (level, log, report) => {
  if (log.code !== "MODULE_LEVEL_DIRECTIVE") report(level, log);
};

/** A small script inside pages. */
function inlineScript(name: string): EnvironmentOptions {
  return {
    consumer: "client",
    build: {
      outDir: `dist/inline-${name}`,
      copyPublicDir: false,
      modulePreload: false,
      rolldownOptions: {
        input: { script: `src/client/inline/${name}.ts` },
        output: { format: "iife", entryFileNames: "[name].js" },
      },
    },
  };
}

/**
 * Six builds in one run: the styles of pages (`client`), their modules (`scripts`), the small
 * scripts inside public pages (`inlinePublic`) and inside those for signed-in people
 * (`inlineSignedIn`), the script of the gallery (`gallery`), and the server (`ssr`), which bundles
 * its dependencies except pino and optional ones.
 */
export default defineConfig({
  publicDir: "public",
  resolve: { conditions: [fromSource, ...defaultClientConditions] },
  css: { transformer: "lightningcss" },
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  builder: {
    buildApp: async (builder) => {
      for (const name of [
        "client",
        "scripts",
        "inlinePublic",
        "inlineSignedIn",
        "gallery",
        "ssr",
      ]) {
        const environment = builder.environments[name];
        if (environment !== undefined) await builder.build(environment);
      }
      await compressFiles(new URL("./dist/client/", import.meta.url));
    },
  },
  environments: {
    client: {
      build: {
        outDir: "dist/client",
        manifest: "manifest.json",
        cssMinify: "lightningcss",
        cssTarget: ["chrome123", "firefox125", "safari17.5"],
        rolldownOptions: {
          onLog,
          input: {
            page: "src/styles/page.css",
            "live-page": "src/styles/live-page.css",
            "gallery-page": "src/styles/gallery.css",
          },
        },
      },
    },
    scripts: {
      // Otherwise Vite would wrap the import of the islands in a kilobyte of code for older
      // browsers.
      consumer: "server",
      resolve: { conditions: [fromSource, ...defaultClientConditions], noExternal: true },
      build: {
        outDir: "dist/client",
        emptyOutDir: false,
        copyPublicDir: false,
        manifest: "scripts.json",
        minify: "oxc",
        rolldownOptions: {
          onLog,
          platform: "browser",
          input: { watch: "src/client/watch.ts" },
          output: {
            entryFileNames: "assets/[name]-[hash].js",
            chunkFileNames: "assets/[name]-[hash].js",
          },
        },
      },
    },
    inlinePublic: inlineScript("public"),
    inlineSignedIn: inlineScript("signed-in"),
    gallery: {
      consumer: "client",
      build: {
        outDir: "dist/gallery",
        copyPublicDir: false,
        modulePreload: false,
        rolldownOptions: {
          onLog,
          input: { gallery: "src/gallery/gallery-client.tsx" },
          output: { entryFileNames: "[name].js" },
        },
      },
    },
    ssr: {
      resolve: {
        conditions: [fromSource, ...defaultServerConditions],
        // One file is read and linked in less time than a hundred are.
        noExternal: [
          "@formatjs/icu-messageformat-parser",
          "@formatjs/icu-skeleton-parser",
          "@hono/node-server",
          "bowser",
          "cookie",
          "hono",
          "icu-minify",
          "jose",
          "latchkey",
          "oauth4webapi",
          "react",
          "react-dom",
          "valibot",
        ],
      },
      build: {
        outDir: "dist/server",
        copyPublicDir: false,
        target: "node22",
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
