import { foldCase, isUnder, isWithExtension, pathInterpretations } from "./request-target.ts";

/**
 * Matches a requested path with paths that count for everything below them, however a server behind
 * a proxy may interpret it: in any case of letters, decoded, with resolved dot segments, without an
 * extension at its end.
 *
 * @param folders - such as `/admin`, or `/` for every path
 * @param path - as requested, without its query
 * @returns the longest matching folder of each interpretation, `null` for one without any, and each
 *   folder that the path names with an extension; no list if no conclusion is possible: refuse such
 *   a request
 */
export function matchPaths(
  folders: readonly string[],
  path: string,
): readonly (string | null)[] | null {
  const interpretations = pathInterpretations(path);
  if (interpretations === null) return null;
  const found = new Set<string | null>();
  for (const each of interpretations) {
    found.add(longest(folders, each));
    const folded = foldCase(each);
    found.add(longest(folders, folded, foldCase));
    for (const folder of folders) if (isWithExtension(foldCase(folder), folded)) found.add(folder);
  }
  return [...found];
}

function longest(
  folders: readonly string[],
  path: string,
  spelling: (folder: string) => string = (folder) => folder,
): string | null {
  const matching = folders.filter((folder) => isUnder(spelling(folder), path));
  return matching.reduce<string | null>(
    (found, each) => (found === null || each.length > found.length ? each : found),
    null,
  );
}
