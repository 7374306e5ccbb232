import path from "node:path";

import { parse, type Sources } from "./tree.ts";

/** Returns the names exported by a module, those of `export * from` included. */
export function exportedNames(sources: Sources, file: string): readonly string[] {
  const { module } = parse(sources.get(file) ?? "");
  const entries = module.staticExports.flatMap((each) => each.entries);
  const names = entries.flatMap(({ exportName, moduleRequest }) => {
    if (exportName.name !== null) return [exportName.name];
    if (exportName.kind === "Default") return ["default"];
    if (moduleRequest === null) return [];
    return exportedNames(sources, path.posix.join(path.posix.dirname(file), moduleRequest.value));
  });
  return [...new Set(names)];
}
