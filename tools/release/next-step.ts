import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";

/** What the release workflow does with a commit of main. */
export type NextStep = "version" | "publish" | "none";

/**
 * Returns `version` while changesets wait, `publish` for the commit that made versions of them, and
 * `none` for any other commit. So no version is published without a changeset.
 *
 * @param root - path of a clone with the commit and its first parent
 * @throws Error if the parent is not in the clone
 */
export function nextStep(root: string): NextStep {
  const waiting = readdirSync(path.join(root, ".changeset"));
  if (waiting.some((name) => name.endsWith(".md") && name !== "README.md")) return "version";
  return versionAt(root, "HEAD") === versionAt(root, "HEAD^1") ? "none" : "publish";
}

/** All packages have the version of `latchkey`. */
function versionAt(root: string, commit: string): string {
  const manifest = execFileSync("git", ["show", `${commit}:packages/latchkey/package.json`], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  return String(JSON.parse(manifest).version);
}

if (import.meta.main) {
  const root = path.join(import.meta.dirname, "../..");
  console.log(`step=${nextStep(root)}`);
  console.log(`version=${versionAt(root, "HEAD")}`);
}
