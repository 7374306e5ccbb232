/**
 * `npm run versions`: makes the next versions and changelogs of the changesets, and writes the new
 * version into every other file that names it. The release workflow runs it.
 */
import { execFileSync } from "node:child_process";
import path from "node:path";

import { moveVersion } from "./move-version.ts";
import { publishedPackages } from "./published-packages.ts";

const root = path.join(import.meta.dirname, "../..");
const changesets = path.join(root, "node_modules/@changesets/cli/bin.js");

const changes = execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" });
if (changes !== "") {
  console.error(`Commit these changes first, or remove them:\n${changes}`);
  process.exit(1);
}
const before = publishedPackages(root)[0]?.version ?? "";
execFileSync(process.execPath, [changesets, "version"], { cwd: root, stdio: "inherit" });
const after = publishedPackages(root)[0]?.version ?? "";
const moved = moveVersion(root, before, after);
console.log(`${before} is now ${after}, in ${moved.length} more files.`);
