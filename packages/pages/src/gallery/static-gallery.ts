import assets, { gallery as files } from "#assets";

import { createGallery, type Gallery } from "./gallery.ts";
import { withoutLinks } from "./render-state.ts";

/*
 * The gallery without a server. A site has its pages as files, and the browser renders them again
 * with this module.
 */
const site = {
  app: "Harbour",
  support: { name: "the help desk", url: "#" },
  baseURL: "https://app.example.com",
  host: "app.example.com",
  root: "",
  homeURL: "#",
  links: [],
  loginURL: "#",
  logoutURL: "#",
  pictureSources: [],
  development: true,
};

function galleryAt(root: string): Gallery {
  return createGallery({
    context: {
      site,
      assets,
      paths: { login: "#", logout: "#", me: "#", session: "#", events: "#", pages: "#" },
      isLive: false,
    },
    names: { app: site.app, provider: "Example ID", host: site.host },
    brand: { colors: {} },
    prefix: root.replace(/\/$/, ""),
    files,
    renderer: `${root}renderer.js`,
  });
}

/** Search engines find the bench, not an invented account. */
const noIndex = '<meta name="robots" content="noindex"/>';

/**
 * Renders the theme bench, with all states in it.
 *
 * @param root path of the gallery, with a slash at the end
 */
export function render(query: URLSearchParams, root: string): string {
  return galleryAt(root).withTheme(query).index("srcdoc");
}

/** Returns the files below the root, except this module as `renderer.js`, by their paths. */
export function staticFiles(root: string): ReadonlyMap<string, string> {
  const { states, withTheme } = galleryAt(root);
  const { index, page } = withTheme(new URLSearchParams());
  return new Map([
    ["index.html", index("src")],
    ["gallery.js", files.script],
    ...states.map((state): [string, string] => [
      `${state.id}/index.html`,
      withoutLinks(page(state, null)).replace("<title>", `${noIndex}<title>`),
    ]),
  ]);
}
