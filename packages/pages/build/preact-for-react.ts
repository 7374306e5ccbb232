import { fileURLToPath } from "node:url";

import type { Plugin } from "vite";

const staticReact = fileURLToPath(new URL("static-react.ts", import.meta.url));
const liveReact = fileURLToPath(new URL("live-react.ts", import.meta.url));
const staticSessionClient = fileURLToPath(new URL("static-session-client.ts", import.meta.url));

const onServers: Readonly<Record<string, string>> = {
  react: staticReact,
  "react-dom/server": staticReact,
  "react/jsx-runtime": "preact/jsx-runtime",
};

const inBrowsers: Readonly<Record<string, string>> = {
  react: liveReact,
  "react-dom/client": liveReact,
  "react/jsx-runtime": "preact/jsx-runtime",
};

/** Builds whose components become text, at any place. */
const textEnvironments = new Set(["ssr", "staticGallery"]);

/** The screens are written for React, and bundled with Preact: decision 0110. */
export function preactForReact(): Plugin {
  return {
    name: "preact-for-react",
    enforce: "pre",
    resolveId(source) {
      const isText = textEnvironments.has(this.environment.name);
      if (isText && source.endsWith("/client/session-client.ts")) return staticSessionClient;
      const names = isText ? onServers : inBrowsers;
      const name = names[source];
      return name === undefined ? null : this.resolve(name, staticReact);
    },
  };
}
