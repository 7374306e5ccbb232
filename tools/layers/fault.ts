import path from "node:path";
import type { Workspace } from "../layers.ts";
import type { Import } from "./imports.ts";

/** The place of a file in the layers of its workspace. */
interface Place {
  /** The part of the file. */
  readonly part: string;
  /** 0 is the top row. */
  readonly row: number;
}

const ours = /^(latchkey$|@latchkey\/)/;
const listFile = "tools/layers.ts";

/**
 * Returns the single files below the root among the parts of a workspace. There must be none: each
 * part is a folder, or a file directly in the root.
 */
export function singleFilesBelowRoot({ rows }: Workspace): readonly string[] {
  return rows.flat().filter((part) => part.includes("/") && /\.\w+$/.test(part));
}

/**
 * Why one import of one file is not allowed.
 *
 * @param workspaces - the layers of each
 * @param file - path from the root of the repository, with forward slashes
 * @returns one sentence, or `undefined` when the import is allowed
 */
export function faultOf(
  workspaces: readonly Workspace[],
  file: string,
  found: Import,
): string | undefined {
  const workspace = workspaces.find(({ root }) => file.startsWith(`${root}/`));
  if (!workspace) return undefined;
  const from = file.slice(workspace.root.length + 1);
  return found.specifier.startsWith(".")
    ? pathFault(workspace, from, found)
    : packageFault(workspace, from, found.specifier);
}

function pathFault(workspace: Workspace, from: string, { specifier, typeOnly }: Import) {
  const target = path.posix.join(workspace.root, path.posix.dirname(from), specifier);
  if (!isBelow(workspace.root, target)) {
    const allowed = workspace.outside?.some((place) => isBelow(place, target));
    return allowed ? undefined : `${target} lies outside ${workspace.root}`;
  }
  const to = target.slice(workspace.root.length + 1);
  const [source, destination] = [placeOf(workspace, from), placeOf(workspace, to)];
  if (!source) return `${from} has no place in the list of layers (${listFile})`;
  if (!destination) return `${to} has no place in the list of layers (${listFile})`;
  if (source.part === destination.part) return undefined;
  const reason = workspace.typesOnly?.[source.part];
  if (reason) return typeOnly ? undefined : `${reason}: it may take types, but not ${to}`;
  if (source.row === destination.row) return `${source.part} and ${destination.part} are siblings`;
  return source.row > destination.row ? `${source.part} lies below ${destination.part}` : undefined;
}

function packageFault(workspace: Workspace, from: string, specifier: string) {
  const { root, packages, dependencies, node } = workspace;
  if (specifier.startsWith("node:")) {
    return !node || node.test(from) ? undefined : `only files that say so by name may use Node`;
  }
  const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  if (ours.test(name) && !packages.includes(name)) return `${root} may not import ${name}`;
  if (!dependencies) return undefined;
  const places = dependencies.get(name);
  if (!places) return `${root} does not depend on ${name}`;
  return places.some((place) => isBelow(place, from))
    ? undefined
    : `${name} is imported in ${places.join("/ and ")}/ only`;
}

/** The longest part that contains the file. */
export function placeOf({ rows }: Workspace, file: string): Place | undefined {
  const places = rows.flatMap((parts, row) =>
    parts.flatMap((part) => {
      if (isBelow(part, file)) return { part, row };
      return part.includes("*") && fits(part, file) ? { part: file, row } : [];
    }),
  );
  return places.toSorted((a, b) => b.part.length - a.part.length)[0];
}

function isBelow(place: string, file: string): boolean {
  return file === place || file.startsWith(`${place}/`);
}

function fits(pattern: string, file: string): boolean {
  const [start = "", end = ""] = pattern.split("*", 2);
  const between = file.slice(start.length, file.length - end.length);
  return file.startsWith(start) && file.endsWith(end) && !between.includes("/");
}
