// What the suite asks for beside what the guide shows.
import config from "./astro.config.mjs";

export default {
  ...config,
  cache: { provider: { entrypoint: new URL("./src/cdn.ts", import.meta.url) } },
  routeRules: { "/public/streamed": { maxAge: 600 } },
};
