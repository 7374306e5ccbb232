import type { Catalogue, Languages } from "./catalogue.ts";

const files = import.meta.glob<Catalogue>("./languages/*.json", {
  eager: true,
  import: "default",
});

/** Every language there is a file for, by its tag (`de` for `languages/de.json`). */
export const languages: Languages = new Map(
  Object.entries(files).map(([path, catalogue]) => [tagOf(path), catalogue]),
);

function tagOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1, -".json".length);
}
