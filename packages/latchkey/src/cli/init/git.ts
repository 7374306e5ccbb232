import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

import { isJSONObject } from "../../crypto/json-object.ts";
import { readIfAny } from "../env/read-if-any.ts";

/** Returns the output of git in a folder; `null` if it fails, as without a repository. */
function git(folder: string, ...args: string[]): string | null {
  try {
    return execFileSync("git", args, {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return null;
  }
}

/** Returns those files of a repository that have changes without a commit. */
export function dirtyFiles(folder: string, paths: readonly string[]): readonly string[] {
  return paths.filter((path) => {
    const status = git(folder, "status", "--porcelain", "--", path);
    const isChanged = status !== null && status !== "" && !status.startsWith("??");
    return isChanged && !(path === "package.json" && isOnlyInstalled(folder));
  });
}

/** An installation has changed `package.json`, and nothing else has. */
function isOnlyInstalled(folder: string): boolean {
  const committed = parse(git(folder, "show", "HEAD:./package.json"));
  const present = parse(readIfAny(join(folder, "package.json")));
  return (
    committed !== null && present !== null && isDeepStrictEqual(rest(present), rest(committed))
  );
}

function rest(manifest: object): object {
  return { ...manifest, dependencies: null, devDependencies: null };
}

function parse(text: string | null): object | null {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return isJSONObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Returns whether git ignores a file; `null` without a repository. */
export function isIgnored(folder: string, path: string): boolean | null {
  if (git(folder, "rev-parse", "--is-inside-work-tree") === null) return null;
  return git(folder, "check-ignore", "-q", "--no-index", path) !== null;
}
