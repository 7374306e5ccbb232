import { globSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";

import { isJSONObject, type JSONObject, parseJSON } from "../../../crypto/json-object.ts";

export interface InstalledPackage {
  /** Below `node_modules`. */
  readonly folder: string;
  readonly version: string;
}

/** A package of the app in a version that `latchkey` does not support. */
export interface Misfit extends InstalledPackage {
  readonly range: string;
}

/** Finds the copies of `latchkey`, also those below other packages. A link to one is no other. */
export function copiesIn(folder: string): readonly InstalledPackage[] {
  const modules = path.join(folder, "node_modules");
  const nested = globSync("{*,@*/*}/node_modules/latchkey", { cwd: modules }).toSorted();
  const found = new Map<string, InstalledPackage>();
  for (const place of ["latchkey", ...nested]) {
    const manifest = readJSON(path.join(modules, place, "package.json"));
    if (manifest === null) continue;
    const real = realpathSync(path.join(modules, place));
    if (!found.has(real)) found.set(real, { folder: place, version: versionOf(manifest) });
  }
  return [...found.values()];
}

/** Compares the installed packages with the peers of the installed `latchkey`. */
export function misfitsIn(folder: string): readonly Misfit[] {
  const read = (name: string) => readJSON(path.join(folder, "node_modules", name, "package.json"));
  const peers = read("latchkey")?.["peerDependencies"];
  if (!isJSONObject(peers)) return [];
  return Object.entries(peers).flatMap(([name, range]) => {
    const manifest = read(name);
    if (manifest === null || typeof range !== "string") return [];
    const version = versionOf(manifest);
    return isBelow(version, range) ? [{ folder: name, version, range }] : [];
  });
}

/** Whether a version is below a range. All our ranges are `>=` and a version. */
function isBelow(version: string, range: string): boolean {
  const [numbers, least] = [version, range.replace(">=", "")].map((each) =>
    each.split(/[.-]/).map(Number),
  );
  const index = least?.findIndex((number, place) => number !== (numbers?.[place] ?? 0)) ?? -1;
  return index !== -1 && (numbers?.[index] ?? 0) < (least?.[index] ?? 0);
}

function versionOf({ version }: JSONObject): string {
  return String(version);
}

/** The object in a file; `null` without one. */
export function readJSON(file: string): JSONObject | null {
  try {
    const value = parseJSON(readFileSync(file, "utf8"));
    return isJSONObject(value) ? value : null;
  } catch {
    return null;
  }
}
