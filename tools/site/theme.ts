import { readFileSync } from "node:fs";
import path from "node:path";

import { addressOf, base, origin } from "./addresses.ts";
import { documentedVersion } from "./version.ts";

/** What `@latchkey/pages` has built: the gallery without a server. */
interface StaticGallery {
  staticFiles(root: string): ReadonlyMap<string, string>;
}

/** Path of the theme bench at its host. */
export const themeBench = `${base}theme/`;

/**
 * Returns the files of the theme bench by their paths below its own. The bench itself stands below
 * the bar of the site.
 *
 * @param root - folder of the repository, with `@latchkey/pages` built
 */
export async function themeFiles(root: string): Promise<ReadonlyMap<string, string>> {
  const module = path.resolve(root, "packages/pages/dist/static-gallery/renderer.js");
  const { staticFiles } = (await import(/* @vite-ignore */ module)) as StaticGallery;
  const files = new Map([
    ...staticFiles(themeBench),
    ["renderer.js", readFileSync(module, "utf8")] as const,
  ]);
  const name = `Latchkey ${documentedVersion(root)}`;
  return files.set("index.html", insideSite(files.get("index.html") ?? "", name));
}

const style = `.site{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;align-items:baseline;
padding:.9rem 1.5rem;border-bottom:1px solid light-dark(#c1c3c8,#353841);font:1rem/1.4 system-ui}
.site a{color:light-dark(#23262f,#edeef3)}
.site a:first-child{margin-inline-end:auto;font-size:1.4rem;font-weight:600;text-decoration:none;
color:light-dark(#3d50f5,#b3c7ff)}`;

/**
 * Returns the bench with the bar, the title and the description of the site.
 *
 * @param html - the bench as `@latchkey/pages` renders it
 * @param name - of the site, with its version
 */
export function insideSite(html: string, name: string): string {
  const links = [
    [addressOf("index"), name],
    [addressOf("pages"), "The pages package"],
    [addressOf("screens"), "Screens"],
    [addressOf("all-pages"), "All pages"],
  ] as const;
  const bar = links.map(([address, text]) => `<a href="${address}">${text}</a>`).join("");
  const head = `<meta name="description" content="${description}">
<link rel="canonical" href="${origin}${themeBench}">
<meta property="og:image" content="${origin}${base}images/share.png">
<style>${style}</style>`;
  return html
    .replace("<title>Theme bench</title>", `<title>Theme bench | ${name}</title>${head}`)
    .replace("<body>", `<body><header><nav class="site" aria-label="Site">${bar}</nav></header>`);
}

const description =
  "Every screen of Latchkey in every state, with the name, color and logo of your app.";
