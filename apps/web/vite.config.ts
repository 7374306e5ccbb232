import { defineConfig } from "vite";

import { compressFiles } from "./build/compress-files.ts";

/**
 * Three builds in one run: what browsers load (`client`), the small script that stands inside every page
 * (`inline`), and the server (`ssr`), with React and the screens bundled in and everything else left to Node.
 */
export default defineConfig({
  publicDir: "public",
  css: { transformer: "lightningcss" },
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  builder: {
    buildApp: async (builder) => {
      for (const name of ["client", "inline", "ssr"] as const) {
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
          input: {
            live: "src/client/live.tsx",
            page: "src/styles/page.css",
            "live-page": "src/styles/live-page.css",
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
    ssr: {
      resolve: {
        external: ["latchkey", "hono", "pino"],
        noExternal: ["react", "react-dom", "icu-minify", "latchkey/react"],
      },
      build: {
        outDir: "dist/server",
        copyPublicDir: false,
        target: "node22",
        rolldownOptions: { input: { main: "src/server/main.ts" } },
      },
    },
  },
});
