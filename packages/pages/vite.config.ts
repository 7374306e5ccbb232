import {
  defaultClientConditions,
  defineConfig,
  type EnvironmentOptions,
  type Rolldown,
} from "vite";

import { writeAssets } from "./build/write-assets.ts";

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
      modulePreload: false,
      rolldownOptions: {
        input: { script: `src/client/inline/${name}.ts` },
        output: { format: "iife", entryFileNames: "[name].js" },
      },
    },
  };
}

/**
 * Five builds in one run: the styles of pages (`client`), their modules (`scripts`), the small
 * scripts inside public pages (`inlinePublic`) and inside those for signed-in people
 * (`inlineSignedIn`), and the script of the gallery (`gallery`). `dist/assets.json` has all.
 */
export default defineConfig({
  publicDir: false,
  resolve: { conditions: [fromSource, ...defaultClientConditions] },
  css: { transformer: "lightningcss" },
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  builder: {
    buildApp: async (builder) => {
      for (const name of ["client", "scripts", "inlinePublic", "inlineSignedIn", "gallery"]) {
        const environment = builder.environments[name];
        if (environment !== undefined) await builder.build(environment);
      }
      await writeAssets(new URL("./dist/", import.meta.url));
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
        modulePreload: false,
        rolldownOptions: {
          onLog,
          input: { gallery: "src/gallery/gallery-client.tsx" },
          output: { entryFileNames: "[name].js" },
        },
      },
    },
  },
});
