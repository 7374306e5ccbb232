import { fileURLToPath } from "node:url";

import type { Plugin } from "vite";

const staticReact = fileURLToPath(new URL("static-react.ts", import.meta.url));

const onServers: Readonly<Record<string, string>> = {
  react: staticReact,
  "react-dom/server": staticReact,
  "react/jsx-runtime": "preact/jsx-runtime",
};

const inBrowsers: Readonly<Record<string, string>> = {
  react: "preact/compat",
  "react-dom/client": "preact/compat/client",
  "react/jsx-runtime": "preact/compat/jsx-runtime",
};

/** Builds whose components become text, at any place. */
const textEnvironments = new Set(["ssr", "staticGallery"]);

/** The screens are written for React, and bundled with Preact: decision 0110. */
export function preactForReact(): Plugin {
  return {
    name: "preact-for-react",
    enforce: "pre",
    resolveId(source) {
      const names = textEnvironments.has(this.environment.name) ? onServers : inBrowsers;
      const name = names[source];
      return name === undefined ? null : this.resolve(name, staticReact);
    },
  };
}
