import { globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Files that name the version of our packages and that changesets do not know, from the root. */
const places = [
  "CHANGELOG.md",
  "package-lock.json",
  "packages/latchkey/src/telemetry/version.ts",
  "packages/latchkey/api/index.api.md",
  "examples/*/package.json",
  "examples/*/apps/*/package.json",
  "examples/deploy/helm/Chart.yaml",
  "examples/deploy/kubernetes/latchkey.yaml",
  "docs/guides/operations.md",
];

/**
 * Replaces the version of our packages in the files that changesets do not know.
 *
 * @param root - path of the repository
 * @returns the changed files, as paths from the root
 */
export function moveVersion(root: string, before: string, after: string): readonly string[] {
  const move = (file: string, text: string) => {
    if (file === "package-lock.json") return moveInLockFile(text, before, after);
    if (file === "CHANGELOG.md") return text.replace(`## ${after} (unreleased)`, `## ${after}`);
    return moveInText(text, before, after);
  };
  return globSync(places, { cwd: root }).filter((file) => {
    const place = path.join(root, file);
    const text = readFileSync(place, "utf8");
    const moved = move(file, text);
    if (moved !== text) writeFileSync(place, moved);
    return moved !== text;
  });
}

/** Only lines about our packages change: another package may have the same version. */
function moveInText(text: string, before: string, after: string): string {
  const version = new RegExp(`(?<![\\d.])${before.replaceAll(".", "\\.")}(?![\\d.-])`, "g");
  return text
    .split("\n")
    .map((line) => (/latchkey|version/.test(line) ? line.replace(version, after) : line))
    .join("\n");
}

interface LockEntry {
  version?: string;
  readonly dependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
}

/** Only the workspaces and their dependencies on each other name our packages. */
function moveInLockFile(text: string, before: string, after: string): string {
  const lock = JSON.parse(text);
  for (const [place, entry] of Object.entries<LockEntry>(lock.packages)) {
    if (!/^(packages|apps)\//.test(place)) continue;
    if (entry.version === before) entry.version = after;
    for (const needed of [entry.dependencies ?? {}, entry.peerDependencies ?? {}])
      for (const [name, version] of Object.entries(needed))
        if (/^(latchkey$|@latchkey\/)/.test(name) && version === before) needed[name] = after;
  }
  return `${JSON.stringify(lock, null, 2)}\n`;
}
