import { behaviorNames, behaviorOf } from "@latchkey/provider/hostile";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

import { playedBehaviors } from "./plans/plans.ts";
import { subjects } from "./world/behavior-subjects.ts";

/** The same fault is `PROVIDERS/logout-without-exp`, which one may accept. */
const repeated = "STD-103/no-exp";

/** Played at each endpoint, by names that are put together. */
const isOfConnection = (name: string) => /^REL-F(?:01|02|04|12|13|15)\//.test(name);

test("every behavior of the hostile provider is played", () => {
  const byName = namesInTests();
  const all = Object.values(subjects).flat();
  const unplayed = behaviorNames.filter((name) => {
    const entry = behaviorOf(name);
    return !(
      name === repeated ||
      isOfConnection(name) ||
      playedBehaviors.has(name) ||
      byName.has(name) ||
      all.some((each) => each.concerns(name, entry) && each.expectations.includes(entry.expect))
    );
  });
  expect(unplayed).toEqual([]);
});

test("every subject is that of a test file, which takes it", () => {
  const missing = Object.keys(subjects).filter((file) => {
    const source = readFileSync(path.join(import.meta.dirname, file), "utf8");
    return !source.includes(`= subjects["${file}"]`);
  });
  expect(missing).toEqual([]);
});

/** The texts in the tests of this package that are names of behaviors. */
function namesInTests(): ReadonlySet<string> {
  const root = path.join(import.meta.dirname, "../..");
  const files = globSync("{src,test}/**/*.{test,story}.ts", { cwd: root });
  const sources = files.map((file) => readFileSync(path.join(root, file), "utf8")).join("\n");
  return new Set([...sources.matchAll(/"([A-Z]+-?[\w./-]+)"/g)].map(([, name = ""]) => name));
}
