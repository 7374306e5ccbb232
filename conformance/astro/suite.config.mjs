// Settings for the suite, beside those of the guide.
import config from "./astro.config.mjs";

export default {
  ...config,
  i18n: {
    locales: ["en", "de"],
    defaultLocale: "en",
    fallback: { de: "en" },
    routing: { fallbackType: "rewrite" },
  },
  cache: { provider: { entrypoint: new URL("./src/cdn.ts", import.meta.url) } },
  routeRules: { "/public/streamed": { maxAge: 600 } },
};
