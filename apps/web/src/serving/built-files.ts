import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Public files; some have compressed forms beside them. */
export interface StaticFiles {
  readonly folder: string;
  /** Of those outside of `/assets/`, e.g. `/favicon.ico`. */
  readonly paths: readonly string[];
}

/**
 * Finds the results of the build for browsers.
 *
 * @param dist the `dist` folder
 * @throws Error if it has not been built
 */
export function findBuiltFiles(dist: URL): StaticFiles {
  const folder = fileURLToPath(new URL("client/", dist));
  return { folder, paths: publicPaths(folder) };
}

/** What lay in the folder of public files, less what only the build has added. */
function publicPaths(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(?:br|gz)$/.test(entry.name))
    .map(({ name }) => `/${name}`);
}
