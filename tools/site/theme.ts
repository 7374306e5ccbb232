import { readFileSync } from "node:fs";
import path from "node:path";

import { base } from "./addresses.ts";

/** What `@latchkey/pages` has built: the gallery without a server. */
interface StaticGallery {
  staticFiles(root: string): ReadonlyMap<string, string>;
}

/** Path of the theme bench at its host. */
export const themeBench = `${base}theme/`;

/**
 * Returns the files of the theme bench by their paths below its own.
 *
 * @param root - folder of the repository, with `@latchkey/pages` built
 */
export async function themeFiles(root: string): Promise<ReadonlyMap<string, string>> {
  const module = path.resolve(root, "packages/pages/dist/static-gallery/renderer.js");
  const { staticFiles } = (await import(/* @vite-ignore */ module)) as StaticGallery;
  return new Map([...staticFiles(themeBench), ["renderer.js", readFileSync(module, "utf8")]]);
}
