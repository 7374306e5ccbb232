import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** What a release needs to know of the manifest of a package. */
export interface PublishedPackage {
  /** Path from the root of the repository. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly manifest: Readonly<Record<string, unknown>>;
}

/** Returns the packages of this repository that are not private. */
export function publishedPackages(root: string): readonly PublishedPackage[] {
  return readdirSync(path.join(root, "packages"))
    .map((name) => `packages/${name}`)
    .map((folder) => {
      const manifest = JSON.parse(readFileSync(path.join(root, folder, "package.json"), "utf8"));
      const { name, version, exports } = manifest;
      return { folder, name, version, exports, manifest };
    })
    .filter(({ manifest }) => manifest.private !== true);
}
