import { UsageError } from "../command.ts";
import { majorOf, type Project, readProject } from "../init/project.ts";
import type { FileChange } from "../init/write-changes.ts";
import { createDraft, type Draft, type ToDo } from "./draft.ts";
import { formerPackage } from "./former-imports.ts";
import { isMiddlewareFile, proxyPath } from "./middleware-file.ts";
import { sourceFiles, variableFiles } from "./source-files.ts";
import type { Parse } from "./syntax.ts";
import { fromVersion3, fromVersion4, renameVariables } from "./variables.ts";
import { rewriteVersion3 } from "./version-3.ts";
import { rewriteVersion4 } from "./version-4/rewrite.ts";

/** What `move` would do. */
export interface Move {
  readonly project: Project;
  /** The major version of nextjs-auth0. */
  readonly version: 3 | 4;
  readonly changes: readonly FileChange[];
  readonly toDo: readonly ToDo[];
  /** Packages to install. */
  readonly packages: readonly string[];
}

export interface MoveOptions {
  readonly folder: string;
  readonly parse: Parse;
  /** Today, in epoch milliseconds. */
  readonly now: number;
}

/**
 * Reads an app and plans its move.
 *
 * @throws {UsageError} if it does not use nextjs-auth0 3 or 4 with Next.js 15 or newer
 */
export function readMove({ folder, parse, now }: MoveOptions): Move {
  const project = readProject(folder);
  if (!Object.hasOwn(project.manifest.dependencies, formerPackage)) {
    throw new UsageError(
      `${formerPackage} is not among the dependencies, and move changes no other apps. Pages for those: https://latchkey-auth.github.io/latchkey/moving`,
    );
  }
  const nextVersion = majorOf(project, "next", 16);
  if (nextVersion < 15)
    throw new UsageError("Latchkey needs Next.js 15.5 or newer: update it first.");
  const version = majorOf(project, formerPackage, 4) < 4 ? 3 : 4;
  const { drafts, unread } = readDrafts(project, parse);
  const usesBrowser =
    version === 3
      ? (drafts.forEach((draft) => rewriteVersion3(draft, nextVersion)), true)
      : rewriteVersion4(project, drafts, { nextVersion, now });
  const changes = drafts.flatMap((draft) => changesOf(draft, nextVersion));
  return {
    project,
    version,
    changes: [...changes, ...variableChanges(project, version)],
    toDo: [...drafts.flatMap((draft) => draft.toDo()), ...unread],
    packages: ["latchkey", ...(usesBrowser ? ["@latchkey/nextjs-auth0"] : [])].filter(
      (name) => !Object.hasOwn(project.manifest.dependencies, name),
    ),
  };
}

/** Files that may have to do with the former library. */
function readDrafts(project: Project, parse: Parse) {
  const drafts: Draft[] = [];
  const unread: ToDo[] = [];
  for (const path of sourceFiles(project.folder)) {
    const code = project.read(path) ?? "";
    if (!isConcerned(path, code)) continue;
    const program = parse(path, code);
    if (program !== null) drafts.push(createDraft(path, code, program));
    else
      unread.push({
        path,
        line: 1,
        what: "could not be read: it has a fault",
        page: "moving/README",
      });
  }
  return { drafts, unread };
}

/** The root of all pages may get a provider. */
function isConcerned(path: string, code: string): boolean {
  const isRoot = /^(?:src\/)?(?:app\/layout|pages\/_app)\.[jt]sx?$/.test(path);
  return isRoot || /auth0|\/auth\/|APP_BASE_URL/i.test(code);
}

function changesOf(draft: Draft, nextVersion: number): readonly FileChange[] {
  const { path, code } = draft;
  const after = draft.text();
  if (after === code) return [];
  const moved = isMiddlewareFile(path) ? proxyPath(path, nextVersion) : path;
  if (moved === path) return [{ path, before: code, after }];
  return [
    { path: moved, before: null, after },
    { path, before: code, after: "", isRemoved: true },
  ];
}

function variableChanges(project: Project, version: 3 | 4): readonly FileChange[] {
  const rename = version === 3 ? fromVersion3 : fromVersion4;
  return variableFiles(project.folder).flatMap((path) => {
    const before = project.read(path) ?? "";
    const after = renameVariables(before, rename);
    return after === before ? [] : [{ path, before, after }];
  });
}
