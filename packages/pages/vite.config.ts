import {
  defaultClientConditions,
  defaultServerConditions,
  defineConfig,
  type EnvironmentOptions,
  type Rolldown,
} from "vite";

import { compileMessages } from "./build/compile-messages.ts";
import { preactForReact } from "./build/preact-for-react.ts";
import { styleInputs, writeAssets } from "./build/write-assets.ts";

/** The React layer is bundled from its source, so that this build never takes an old one. */
const fromSource = "@latchkey/source";

/** "use client" is for frameworks that split by it; it means nothing here. */
const onLog: Rolldown.InputOptions["onLog"] = (level, log, report) => {
  if (log.code !== "MODULE_LEVEL_DIRECTIVE") report(level, log);
};

/** The first versions with all that the styles use. */
const browsers = ["chrome123", "firefox125", "safari17.5"];
/** The same for the first of two passes over styles: `major << 16 | minor << 8`. */
const lightningBrowsers = { chrome: 123 << 16, firefox: 125 << 16, safari: (17 << 16) | (5 << 8) };

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
 * Eight builds in one run: the styles of pages (`client`), their modules (`scripts`), the small
 * scripts inside public pages (`inlinePublic`), inside those for signed-in people
 * (`inlineSignedIn`) and beside copy buttons (`inlineCopy`), the script of the gallery (`gallery`),
 * and two in which all of them are texts: the gallery for a site without a server
 * (`staticGallery`), and the package (`ssr`).
 */
export default defineConfig({
  publicDir: false,
  plugins: [compileMessages(), preactForReact()],
  resolve: { conditions: [fromSource, ...defaultClientConditions] },
  css: { transformer: "lightningcss", lightningcss: { targets: lightningBrowsers } },
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  builder: {
    buildApp: async (builder) => {
      for (const name of [
        "client",
        "scripts",
        "inlinePublic",
        "inlineSignedIn",
        "inlineCopy",
        "gallery",
      ]) {
        const environment = builder.environments[name];
        if (environment !== undefined) await builder.build(environment);
      }
      await writeAssets(new URL("./dist/", import.meta.url));
      for (const name of ["staticGallery", "ssr"]) {
        const environment = builder.environments[name];
        if (environment !== undefined) await builder.build(environment);
      }
    },
  },
  environments: {
    client: {
      build: {
        outDir: "dist/client",
        manifest: "manifest.json",
        cssMinify: "lightningcss",
        cssTarget: browsers,
        rolldownOptions: {
          onLog,
          input: styleInputs,
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
    inlineCopy: inlineScript("copy"),
    gallery: {
      consumer: "client",
      resolve: { conditions: [fromSource, ...defaultClientConditions] },
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
    staticGallery: {
      consumer: "client",
      resolve: { conditions: [fromSource, ...defaultClientConditions] },
      build: {
        outDir: "dist/static-gallery",
        target: "es2024",
        modulePreload: false,
        // Every language, style and script is in it.
        chunkSizeWarningLimit: 700,
        rolldownOptions: {
          onLog,
          input: { renderer: "src/gallery/static-gallery.ts" },
          preserveEntrySignatures: "strict",
          output: { entryFileNames: "[name].js" },
        },
      },
    },
    ssr: {
      resolve: {
        conditions: [fromSource, ...defaultServerConditions],
        noExternal: true,
      },
      build: {
        outDir: "dist/bundle",
        target: "es2024",
        minify: "oxc",
        license: { fileName: "licenses.md" },
        rolldownOptions: {
          onLog,
          platform: "neutral",
          // With it come the components of the React layer, which are inside the pages.
          external: /^latchkey$/,
          input: {
            index: "src/index.ts",
            languages: "src/languages.ts",
          },
          output: { entryFileNames: "[name].js", chunkFileNames: "chunks/[name].js" },
        },
      },
    },
  },
});
