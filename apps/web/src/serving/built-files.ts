import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { PageAssets } from "../rendering/page-assets.ts";

/** Public files; some have compressed forms beside them. */
export interface StaticFiles {
  readonly folder: string;
  /** Of those outside of `/assets/`, e.g. `/favicon.ico`. */
  readonly paths: readonly string[];
}

/** All results of the build for browsers. */
export interface BuiltFiles {
  readonly assets: PageAssets;
  /** The script of the gallery; empty if the build has none. */
  readonly galleryScript: string;
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
  const manifest: Manifest = Object.assign(
    {},
    ...["manifest.json", "scripts.json"].map((name) =>
      JSON.parse(readFileSync(join(client, name), "utf8")),
    ),
  );
  const read = (name: string) => readFileSync(join(client, fileOf(manifest, name)), "utf8");
  return {
    assets: {
      publicStyle: read("src/styles/page.css"),
      signedInStyle: read("src/styles/live-page.css"),
      galleryStyle: read("src/styles/gallery.css"),
      publicScript: readFileSync(new URL("inline-public/script.js", folder), "utf8"),
      signedInScript: readFileSync(new URL("inline-signed-in/script.js", folder), "utf8"),
      watchModule: `/${fileOf(manifest, "src/client/watch.ts")}`,
    },
    galleryScript: readOptional(new URL("gallery/gallery.js", folder)),
    files: { folder: client, paths: publicPaths(client) },
  };
}

function readOptional(file: URL): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

type Manifest = Readonly<Record<string, { readonly file: string }>>;

function fileOf(manifest: Manifest, name: string): string {
  const entry = manifest[name];
  if (entry === undefined) throw new Error(`${name} has not been built. Run npm run build.`);
  return entry.file;
}

/** What lay in the folder of public files, less what only the build has added. */
function publicPaths(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(?:json|br|gz)$/.test(entry.name))
    .map(({ name }) => `/${name}`);
}
