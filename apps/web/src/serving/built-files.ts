import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import type { GalleryAssets, PageAssets } from "../../../../packages/pages/src/web-application.ts";

/** Public files; some have compressed forms beside them. */
export interface StaticFiles {
  readonly folder: string;
  /** Of those outside of `/assets/`, e.g. `/favicon.ico`. */
  readonly paths: readonly string[];
}

/** All results of the build for browsers. */
export interface BuiltFiles {
  readonly assets: PageAssets;
  readonly gallery: GalleryAssets;
  readonly files: StaticFiles;
}

/**
 * Reads the results of the build.
 *
 * @param folder the `dist` folder
 * @throws Error if it has not been built
 */
export function readBuiltFiles(folder: URL): BuiltFiles {
  const client = fileURLToPath(new URL("client/", folder));
  const { gallery, ...assets } = JSON.parse(
    readFileSync(new URL("assets.json", folder), "utf8"),
  ) as PageAssets & { readonly gallery: GalleryAssets };
  return { assets, gallery, files: { folder: client, paths: publicPaths(client) } };
}

/** What lay in the folder of public files, less what only the build has added. */
function publicPaths(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(?:br|gz)$/.test(entry.name))
    .map(({ name }) => `/${name}`);
}
