import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { expect, test } from "vitest";

import { publishedPackages } from "./published-packages.ts";

const root = path.join(import.meta.dirname, "../..");
const packages = publishedPackages(root);
const byName = packages.map((each) => [each.name, each] as const);

test("all packages have the same version", () => {
  expect(new Set(packages.map(({ version }) => version)).size).toBe(1);
});

test.each(byName)("the manifest of %s says where it comes from", (_name, { manifest, folder }) => {
  expect(manifest).toMatchObject({
    license: "MIT",
    homepage: expect.stringMatching(/^https:/),
    bugs: expect.stringMatching(/^https:.*\/issues$/),
    repository: { type: "git", directory: folder },
    engines: { node: ">=22.18" },
    publishConfig: { access: "public" },
  });
});

test.each(byName)("%s depends on no package of this repository that is private", (_name, each) => {
  const { dependencies = {}, peerDependencies = {} } = each.manifest as Record<string, object>;
  const own = Object.keys({ ...dependencies, ...peerDependencies }).filter((name) =>
    /^(@latchkey\/|latchkey$)/.test(name),
  );
  const published = packages.map(({ name }) => name);
  expect(own.filter((name) => !published.includes(name))).toEqual([]);
});

test.each(byName)("%s brings its license", (_name, { folder }) => {
  expect(existsSync(path.join(root, folder, "LICENSE"))).toBe(true);
});

test.each(byName)("the links in the README of %s work on the page at npm", (_name, { folder }) => {
  const readme = readFileSync(path.join(root, folder, "README.md"), "utf8");
  const targets = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
  expect(targets.filter((target) => !/^(https:|#)/.test(target))).toEqual([]);
});
