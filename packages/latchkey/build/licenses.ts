import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Plugin } from "rolldown";

/**
 * Writes the names, versions and licenses of all bundled packages into one file.
 *
 * @param fileName - path from the folder of the bundle
 * @throws Error if a bundled package has no file with its license
 */
export function licenses(fileName: string): Plugin {
  return {
    name: "licenses",
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) =>
        file.type === "chunk" ? file.moduleIds : [],
      );
      const folders = new Set(modules.flatMap(packageFolder));
      const source = [...folders].map(noticeOf).toSorted().join("\n");
      this.emitFile({ type: "asset", fileName, source });
    },
  };
}

/** Returns the folder of the package that a module belongs to, or nothing for our own modules. */
function packageFolder(module: string): readonly string[] {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module)?.slice(0, 1) ?? [];
}

function noticeOf(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const [file] = globSync("{LICENSE,LICENCE,license,licence}*", { cwd: folder });
  if (file === undefined) throw new Error(`${name} has no file with its license.`);
  return `## ${name} ${version}\n\n${readFileSync(path.join(folder, file), "utf8").trim()}\n`;
}
