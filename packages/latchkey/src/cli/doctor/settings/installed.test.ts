import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { expect, onTestFinished, test } from "vitest";

import manifest from "../../../../package.json" with { type: "json" };
import { copiesIn } from "./installed.ts";

test("the ranges of all peers are the oldest version, as the check of versions reads them", () => {
  expect(
    Object.values(manifest.peerDependencies).filter((each) => !/^>=[\d.]+$/.test(each)),
  ).toEqual([]);
});

test("a link to the only copy of the package is no second one", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "latchkey-doctor-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const modules = path.join(folder, "node_modules");
  mkdirSync(path.join(modules, "latchkey"), { recursive: true });
  mkdirSync(path.join(modules, "@own/ui/node_modules"), { recursive: true });
  writeFileSync(path.join(modules, "latchkey/package.json"), '{"version":"0.1.0"}');
  symlinkSync(path.join(modules, "latchkey"), path.join(modules, "@own/ui/node_modules/latchkey"));
  expect(copiesIn(folder)).toHaveLength(1);
});
