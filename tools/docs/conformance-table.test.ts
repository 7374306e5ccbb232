import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

import { plans } from "../../packages/latchkey/test/conformance/plans/plans.ts";
import { notApplicable } from "../../packages/latchkey/test/conformance/scope/not-applicable.ts";
import { scope } from "../../packages/latchkey/test/conformance/scope/scope.ts";
import { certificationPage, pageFile as certificationFile } from "./certification-page.ts";
import { conformancePage, gapsIn, pageFile } from "./conformance-table.ts";
import { findProofs, idsIn, type Proof } from "./find-proofs.ts";

const requirements = scope.flatMap((section) => section.requirements);
const explained = Object.keys(notApplicable);
const file = "packages/x/x.test.ts";

/** One file with a test for every id of the scope, except some. */
function proofsWithout(...missing: readonly string[]): readonly Proof[] {
  const ids = requirements
    .map(({ id }) => id)
    .filter((id) => !explained.includes(id) && !missing.includes(id));
  return [{ file, ids: new Set(ids) }];
}

describe("the proof", () => {
  test("is whole", () => {
    expect(gapsIn(findProofs(path.join(import.meta.dirname, "../..")))).toEqual([]);
  });

  test("is whole if every id has a test or an explanation", () => {
    expect(gapsIn(proofsWithout())).toEqual([]);
  });

  test("has a gap if an id has neither", () => {
    expect(gapsIn(proofsWithout("ATK-002"))).toEqual(["ATK-002 has no test and no explanation"]);
  });

  test("needs no test by the name of an id whose behavior is played", () => {
    expect(gapsIn(proofsWithout("STD-006"))).toEqual([]);
  });

  test("has a gap if what does not apply has a test", () => {
    const [id = ""] = explained;
    expect(gapsIn([...proofsWithout(), { file, ids: new Set([id]) }])).toEqual([
      `${id} has a test, and is said not to apply`,
    ]);
  });
});

test.each([
  ["refuses it [STD-040]", ["STD-040"]],
  ["refuses it [STD-040, ATK-100, REL-P04]", ["STD-040", "ATK-100", "REL-P04"]],
  ["a group [ASVS-7.4.1] and a test [ATK-033]", ["ASVS-7.4.1", "ATK-033"]],
  ["an array [1, 2] and a word [x]", []],
  ['an array of texts ["STD-040"]', []],
])("the ids in %s", (name, ids) => {
  expect(idsIn(name)).toEqual(ids);
});

test("a page says what is proved, and in which file", () => {
  const page = conformancePage(proofsWithout());
  expect(page).toMatch(/\| \[x\.test\.ts\]\(\.\.\/packages\/x\/x\.test\.ts\) \|.*ATK-002 open /);
});

describe("the pages in the repository", () => {
  const page = readFileSync(pageFile, "utf8");

  test("have a row for each module of each plan, in the words of today", () => {
    const today = conformancePage(proofsWithout()).split("\n");
    const names = plans.flatMap(({ modules }) => modules.map(({ name }) => name));
    const rows = today.filter((line) => names.some((name) => line.includes(`| ${name} |`)));
    expect(rows.length).toBeGreaterThanOrEqual(37);
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  });

  test("have the words of today for every id", () => {
    const missing = requirements.filter(
      ({ id, says }) => !page.includes(id in notApplicable ? `- ${id}: ` : `${id} ${says}`),
    );
    expect(missing).toEqual([]);
  });

  test("have the settings of today for every certificate", () => {
    expect(readFileSync(certificationFile, "utf8")).toBe(certificationPage());
  });
});
