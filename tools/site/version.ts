import { readFileSync } from "node:fs";
import path from "node:path";

/**
 * The version that the pages describe, such as `0.1`.
 *
 * @param root - folder of the repository
 */
export function documentedVersion(root: string): string {
  const manifest = path.join(root, "packages/latchkey/package.json");
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string };
  return version.split(".").slice(0, 2).join(".");
}
