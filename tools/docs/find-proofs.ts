import { globSync, readFileSync } from "node:fs";
import path from "node:path";

import { type BehaviorName, behaviorOf, behaviorsOfID } from "@latchkey/provider/hostile";
import { plans } from "../../packages/latchkey/test/conformance/plans/plans.ts";
import {
  type Subject,
  subjects,
} from "../../packages/latchkey/test/conformance/world/behavior-subjects.ts";

/** A test file, and the ids that the names of its tests carry. */
export interface Proof {
  /** From the root of the repository. */
  readonly file: string;
  readonly ids: ReadonlySet<string>;
}

const bracket = /\[((?:[A-Z]+-[\w.]+)(?:, (?:[A-Z]+-)?[\w.]+)*)\]/g;

const conformance = "packages/latchkey/test/conformance";
/** The test that plays the plans. */
export const plansFile = `${conformance}/plans/plans.isolated.test.ts`;

/** The ids in the name of a test: `[STD-040, ATK-100]`. */
export function idsIn(name: string): readonly string[] {
  return [...name.matchAll(bracket)].flatMap(([, ids = ""]) => ids.split(", "));
}

/**
 * The test files with ids in their names, by their sources. Those written for the proof come first.
 *
 * @param root of the repository
 */
export function findProofs(root: string): readonly Proof[] {
  const places = ["{packages,apps}/*/{src,test}/**/*.{ts,tsx}", "e2e/stories/**/*.story.ts"];
  return globSync(places, { cwd: root, exclude: ["**/conformance/scope/*.ts", "**/dist/**"] })
    .map((file) => ({ file, ids: new Set(idsIn(readFileSync(path.join(root, file), "utf8"))) }))
    .filter(({ ids }) => ids.size > 0)
    .toSorted((one, other) => rank(one) - rank(other) || one.file.localeCompare(other.file));
}

function rank({ file }: Proof): number {
  if (file.startsWith(conformance)) return 0;
  return file.startsWith("e2e/") ? 2 : 1;
}

/** The files whose tests play the behaviors of an id. Their names are made from the behaviors. */
export function filesPlaying(id: string): readonly string[] {
  const names = behaviorsOfID(id);
  const bySubject = Object.entries<readonly Subject[]>(subjects)
    .filter(([, list]) => names.some((name) => list.some((each) => isOf(each, name))))
    .map(([file]) => `${conformance}/${file}`);
  const isInPlan = plans.some(({ modules }) =>
    modules.some(({ behavior }) => names.includes(behavior)),
  );
  return isInPlan ? [plansFile, ...bySubject] : bySubject;
}

function isOf({ concerns, expectations }: Subject, name: BehaviorName): boolean {
  const entry = behaviorOf(name);
  return concerns(name, entry) && expectations.includes(entry.expect);
}
