import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { isJSONObject, parseJSON } from "../../crypto/json-object.ts";
import { readIfAny } from "../env/read-if-any.ts";
import { UsageError } from "../command.ts";

/** A project as `init` sees it: read once, never written here. */
export interface Project {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly isTypeScript: boolean;
  /** Whether a `.js` file is an ES module. */
  readonly isModule: boolean;
  /** The text of a file with its byte order mark, by its path; `null` if there is none. */
  readonly read: (path: string) => string | null;
  readonly has: (path: string) => boolean;
}

export interface Manifest {
  readonly type?: unknown;
  readonly main: string;
  readonly packageManager: string;
  readonly workspaces?: unknown;
  readonly scripts: Readonly<Record<string, string>>;
  /** Those of development included. */
  readonly dependencies: Readonly<Record<string, string>>;
}

/**
 * Reads the project in a folder.
 *
 * @throws {UsageError} without a `package.json` that can be read
 */
export function readProject(folder: string): Project {
  const manifestText = readIfAny(join(folder, "package.json"));
  if (manifestText === null) throw noManifest(folder);
  const manifest = manifestOf(manifestText);
  const has = (path: string) => existsSync(join(folder, path));
  return {
    folder,
    manifest,
    isTypeScript: has("tsconfig.json"),
    isModule: manifest.type === "module",
    read: (path) => (has(path) ? readFileSync(join(folder, path), "utf8") : null),
    has,
  };
}

function noManifest(folder: string): UsageError {
  if (existsSync(join(folder, "deno.json")) || existsSync(join(folder, "deno.jsonc"))) {
    return new UsageError(
      "This is a Deno project, which init does not change: its three lines are in https://latchkey-auth.github.io/latchkey/guides/workerd.",
    );
  }
  return new UsageError(
    `There is no package.json in ${folder}: run init in the folder of your app, or name it with --cwd.`,
  );
}

function manifestOf(text: string): Manifest {
  const value = parseJSON(text);
  if (!isJSONObject(value))
    throw new UsageError("package.json is not valid JSON: repair it first.");
  return {
    type: value["type"],
    main: textOf(value["main"]),
    packageManager: textOf(value["packageManager"]),
    workspaces: value["workspaces"],
    scripts: textsOf(value["scripts"]),
    dependencies: { ...textsOf(value["devDependencies"]), ...textsOf(value["dependencies"]) },
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  if (!isJSONObject(value)) return {};
  const texts = Object.entries(value).filter(([, text]) => typeof text === "string");
  return Object.fromEntries(texts) as Readonly<Record<string, string>>;
}

/** Returns the major version of a dependency, or `otherwise` if its range names none. */
export function majorOf({ manifest }: Project, name: string, otherwise: number): number {
  const version = /\d+/.exec(manifest.dependencies[name] ?? "");
  return version === null ? otherwise : Number(version[0]);
}
