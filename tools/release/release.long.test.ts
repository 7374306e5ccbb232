import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { nextStep } from "./next-step.ts";
import { publishedPackages } from "./published-packages.ts";

const source = path.join(import.meta.dirname, "../..");

/** A clone of this repository, one commit ahead, in which no changeset waits. */
let clone: string;

beforeAll(() => {
  clone = mkdtempSync(path.join(tmpdir(), "latchkey-release-"));
  git("clone", "--quiet", "--shared", source, ".");
  git("config", "user.email", "release@example.com");
  git("config", "user.name", "Release");
  symlinkSync(path.join(source, "node_modules"), path.join(clone, "node_modules"));
  const files = git("ls-files", ".changeset").split("\n");
  const waiting = files.filter((name) => /(?<!README)\.md$/.test(name));
  if (waiting.length > 0) git("rm", "--quiet", ...waiting);
  commit("remove the changesets");
  git("tag", "start");
});

beforeEach(() => {
  git("reset", "--quiet", "--hard", "start");
  git("clean", "--quiet", "--force", "-d");
});

afterAll(() => rmSync(clone, { recursive: true }));

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: clone, encoding: "utf8", stdio: "pipe" });
}

function commit(subject: string): void {
  git("add", "--all");
  git("commit", "--quiet", "--no-verify", "--allow-empty", "--message", subject);
}

function addChangeset(bump: "minor" | "patch"): void {
  writeFileSync(
    path.join(clone, ".changeset/quick-key.md"),
    `---\n"@latchkey/pages": ${bump}\n---\n\nShow the door.\n`,
  );
  commit("feat: show the door");
}

function makeVersions(): string {
  const args = ["tools/release/make-versions.ts"];
  return execFileSync(process.execPath, args, { cwd: clone, encoding: "utf8", stdio: "pipe" });
}

function read(file: string): string {
  return readFileSync(path.join(clone, file), "utf8");
}

test("a release moves versions, changelogs, examples, lock file and constant together", () => {
  const before = publishedPackages(clone)[0]?.version ?? "";
  addChangeset("minor");
  makeVersions();
  const versions = new Set(publishedPackages(clone).map(({ version }) => version));
  expect(versions.size).toBe(1);
  const [after = ""] = versions;
  expect(after).not.toBe(before);
  for (const { folder } of publishedPackages(clone))
    expect(read(`${folder}/CHANGELOG.md`)).toContain(`## ${after}`);
  expect(read("packages/latchkey/src/telemetry/version.ts")).toContain(`version = "${after}"`);
  expect(read("examples/next/package.json")).toContain(`"@latchkey/pages": "${after}"`);
  const lock = JSON.parse(read("package-lock.json")).packages;
  expect(lock["packages/latchkey"].version).toBe(after);
  expect(lock["packages/pages"].peerDependencies.latchkey).toBe(after);
  expect(read("examples/deploy/kubernetes/latchkey.yaml")).toContain(`latchkey:${after}`);
  expect(read("examples/deploy/helm/Chart.yaml")).toContain(`version: ${after}`);
});

test("a release keeps the versions of other packages in the lock file", () => {
  addChangeset("patch");
  const before = JSON.parse(read("package-lock.json")).packages;
  makeVersions();
  const after = JSON.parse(read("package-lock.json")).packages;
  const others = Object.keys(before).filter((place) => place.startsWith("node_modules/"));
  expect(others.filter((place) => before[place].version !== after[place].version)).toEqual([]);
});

test("a commit without a changeset publishes nothing", () => {
  expect(nextStep(clone)).toBe("none");
});

test("a waiting changeset leads to versions, and the commit of the versions to a publication", () => {
  addChangeset("patch");
  expect(nextStep(clone)).toBe("version");
  makeVersions();
  commit("chore: release");
  expect(nextStep(clone)).toBe("publish");
  commit("docs: mend a word");
  expect(nextStep(clone)).toBe("none");
});

test("no versions are made over changes that are not committed", () => {
  addChangeset("patch");
  writeFileSync(path.join(clone, "README.md"), "draft\n");
  expect(makeVersions).toThrow(/Commit these changes first[\s\S]*README\.md/);
  expect(git("status", "--porcelain")).toBe(" M README.md\n");
});
