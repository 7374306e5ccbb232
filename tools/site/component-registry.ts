/** The components for shadcn/ui, as its command reads them from the site. */
import { readFileSync } from "node:fs";
import path from "node:path";

import { base, origin } from "./addresses.ts";

const folder = "packages/latchkey/registry";

/** Address of the folder with the items. */
const registryAddress = `${origin}${base}r/`;

/** The used part of https://ui.shadcn.com/schema/registry-item.json */
interface Item {
  readonly name: string;
  readonly registryDependencies?: readonly string[];
  readonly files: readonly { readonly path: string }[];
}

/**
 * Returns the files of the registry by their names: its list, and each item with the code of its
 * component.
 *
 * @param root - folder of the repository
 */
export function registryFiles(root: string): Map<string, string> {
  const read = (file: string) => readFileSync(path.join(root, folder, file), "utf8");
  const list = JSON.parse(read("registry.json")) as { readonly items: readonly Item[] };
  const items = list.items.map((item) => ({
    $schema: "https://ui.shadcn.com/schema/registry-item.json",
    ...item,
    registryDependencies: item.registryDependencies?.map(
      (name) => `${registryAddress}${name}.json`,
    ),
    files: item.files.map((file) => ({ ...file, content: read(file.path) })),
  }));
  const files: readonly (readonly [name: string, content: object])[] = [
    ["registry.json", list],
    ...items.map((item) => [`${item.name}.json`, item] as const),
  ];
  return new Map(files.map(([name, content]) => [name, JSON.stringify(content, null, 2)]));
}
