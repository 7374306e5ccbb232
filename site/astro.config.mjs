import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";

import { addressOf, base, origin } from "../tools/site/addresses.ts";
import { readPages } from "../tools/site/pages.ts";
import { redirects } from "../tools/site/redirects.ts";
import { fillGroups } from "../tools/site/sidebar.ts";
import { documentedVersion } from "../tools/site/version.ts";

const pages = readPages("..");
const labelOf = (id) => {
  const title = pages.find((page) => page.id === id)?.title ?? id;
  return id.startsWith("errors/") ? title.split(":")[0] : title;
};
const sidebar = fillGroups(pages.map(({ id }) => id)).map(({ label, pages: ids, isOpen }) => ({
  label,
  collapsed: isOpen !== true,
  items: ids.map((id) => ({ label: labelOf(id), slug: id })),
}));

export default defineConfig({
  site: origin,
  base,
  outDir: `./dist${base}`,
  trailingSlash: "always",
  redirects: Object.fromEntries(
    Object.entries(redirects).map(([from, id]) => [`/${from}/`, addressOf(id)]),
  ),
  integrations: [
    starlight({
      title: `Latchkey ${documentedVersion("..")}`,
      description: "Sign-in for web apps with any OpenID Connect provider.",
      sidebar,
      head: ["og:image", "twitter:image"].map((property) => ({
        tag: "meta",
        attrs: { property, content: `${origin}${base}images/share.png` },
      })),
      customCss: ["./src/site.css"],
      components: {
        Head: "./src/components/Head.astro",
        Footer: "./src/components/Footer.astro",
        Search: "./src/components/Search.astro",
      },
      // Code that wraps needs no scrolling, which keyboards and phones cannot do well.
      expressiveCode: {
        defaultProps: { wrap: true, overridesByLang: { "sh,bash": { frame: "none" } } },
      },
      markdown: { processedDirs: ["../docs/"] },
    }),
  ],
});
