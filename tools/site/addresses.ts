/** The addresses of the site, and of the repository. */

/** A folder of the origin, because the site is one of several at its host. */
export const base = "/latchkey/";
export const origin = "https://latchkey-auth.github.io";
export const repositoryAddress = "https://github.com/latchkey-auth/latchkey";

/**
 * Returns the id of the page made from a file, or `null` if the file is no page of the site.
 *
 * @param file - path from the root of the repository
 */
export function pageId(file: string): string | null {
  const extra = Object.entries(extraPages).find(([name]) => name === file);
  if (extra) return extra[1];
  const inFolder = /^docs\/(.+)\.md$/.exec(file)?.[1];
  if (inFolder === undefined || leftOut.some((prefix) => inFolder.startsWith(prefix))) return null;
  return inFolder.replace(/(^|\/)README$/, "").replace(/\/$/, "") || "index";
}

/** Pages whose files are not in the folder `docs`. */
export const extraPages: Readonly<Record<string, string>> = {
  "SECURITY.md": "security",
  "CHANGELOG.md": "changelog",
  "packages/pages/README.md": "pages",
  "packages/provider/README.md": "local-provider",
  "packages/nextjs-auth0/README.md": "nextjs-auth0",
};

/** Read by maintainers only: links to them lead to the repository. */
const leftOut = ["census", "certification", "conformance", "decisions/", "mutants", "operations/"];

/** Returns the path of a page at its host. */
export function addressOf(id: string): string {
  return id === "index" ? base : `${base}${id}/`;
}

/** Returns the path of the same page as Markdown. */
export function markdownAddressOf(id: string): string {
  return `${base}${id}.md`;
}

export function repositoryAddressOf(file: string): string {
  return `${repositoryAddress}/blob/main/${file}`;
}
