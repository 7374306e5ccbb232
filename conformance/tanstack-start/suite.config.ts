// Settings for the suite, beside those of the guide.
import { tanstackStart } from "@tanstack/react-start/plugin/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const options = {
  start: { entry: "suite/start" },
  router: { entry: "suite/router" },
  pages: [{ path: "/about", prerender: { enabled: true, crawlLinks: false } }],
  prerender: { autoStaticPathsDiscovery: false },
};

export default defineConfig({ plugins: [tanstackStart(options), react()] });
