import {
  defaultClientConditions,
  defaultServerConditions,
  defineConfig,
  type Rolldown,
} from "vite";

import { keepBudgets } from "./build/budgets.ts";
import { compressFiles } from "./build/compress-files.ts";

/** The React layer is bundled from its source, so that this build never takes an old one of it. */
const fromSource = "@latchkey/source";

/** "use client" speaks to frameworks that split by it; here nothing is to be said about it. */
const onLog: Rolldown.InputOptions["onLog"] = (level, log, report) => {
  if (log.code !== "MODULE_LEVEL_DIRECTIVE") report(level, log);
};

/**
 * Four builds in one run: what browsers load (`client`), the small script that stands inside every page
 * (`inline`), what brings the gallery to life (`gallery`), and the server (`ssr`), with
 * what it runs on bundled in, but for pino and what few need.
 */
export default defineConfig({
  publicDir: "public",
  resolve: { conditions: [fromSource, ...defaultClientConditions] },
  css: { transformer: "lightningcss" },
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  builder: {
    buildApp: async (builder) => {
      for (const name of ["client", "inline", "gallery", "ssr"] as const) {
        const environment = builder.environments[name];
        if (environment !== undefined) await builder.build(environment);
      }
      keepBudgets(new URL("./dist/", import.meta.url));
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
            live: "src/client/live.tsx",
            page: "src/styles/page.css",
            "live-page": "src/styles/live-page.css",
            "gallery-page": "src/styles/gallery.css",
          },
        },
      },
    },
    inline: {
      consumer: "client",
      build: {
        outDir: "dist/inline",
        copyPublicDir: false,
        modulePreload: false,
        rolldownOptions: {
          input: { inline: "src/client/inline.ts" },
          output: { format: "iife", entryFileNames: "[name].js" },
        },
      },
    },
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
          "compression",
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
          // Brought by whoever keeps sessions there.
          external: ["redis"],
          input: { main: "src/start/main.ts" },
        },
      },
    },
  },
});
