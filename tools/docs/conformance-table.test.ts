import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

import { behaviorsOfID } from "@latchkey/provider/hostile";
import { notApplicable } from "../../packages/latchkey/test/conformance/scope/not-applicable.ts";
import { scope } from "../../packages/latchkey/test/conformance/scope/scope.ts";
import { idsIn, proofTests, storyTests } from "./conformance-report.ts";
import { conformancePage, gapsIn, pageFile } from "./conformance-table.ts";

const root = path.join(import.meta.dirname, "../..");
const requirements = scope.flatMap((section) => section.requirements);
const explained = Object.keys(notApplicable);

/** A report with a passed test for every id of the scope, except some. */
function reportWithout(...missing: readonly string[]): unknown {
  const assertionResults = requirements
    .filter(({ id }) => !explained.includes(id) && !missing.includes(id))
    .map(({ id }) => ({ fullName: `does what is right [${id}]`, status: "passed" }));
  return { testResults: [{ name: path.join(root, "packages/x/x.test.ts"), assertionResults }] };
}

describe("the proof", () => {
  test("is whole if every id has a test or an explanation", () => {
    expect(gapsIn(proofTests(reportWithout(), root))).toEqual([]);
  });

  test("has a gap if an id has neither", () => {
    expect(gapsIn(proofTests(reportWithout("CERT-022"), root))).toEqual([
      "CERT-022 has no test and no explanation",
    ]);
  });

  test.each([
    ["CERT-022", "failed", "CERT-022 has a test that fails"],
    [explained[0] ?? "", "passed", `${explained[0]} has a test, and is said not to apply`],
  ])("has a gap if %s %s", (id, status, gap) => {
    const more = { fullName: `more [${id}]`, status };
    const report = { testResults: [{ name: "y", assertionResults: [more] }] };
    const tests = [...proofTests(reportWithout(), root), ...proofTests(report, root)];
    expect(gapsIn(tests)).toEqual([gap]);
  });

  test("does not count what was skipped", () => {
    const skipped = { fullName: "later [CERT-022]", status: "skipped" };
    const report = { testResults: [{ name: "y", assertionResults: [skipped] }] };
    expect(proofTests(report, root)).toEqual([]);
  });
});

test.each([
  ["refuses it [STD-040]", ["STD-040"]],
  ["refuses it [STD-040, ATK-100, REL-P04]", ["STD-040", "ATK-100", "REL-P04"]],
  ["a group [ASVS-7.4.1] and a test [ATK-033]", ["ASVS-7.4.1", "ATK-033"]],
  ["an array [1, 2] and a word [x]", []],
])("the ids in %s", (name, ids) => {
  expect(idsIn(name)).toEqual(ids);
});

test("a page names the browser test of what no other test proves", () => {
  const tests = [...proofTests(reportWithout("OP-062", "CERT-023"), root), ...storyTests(root)];
  expect(conformancePage(tests)).toMatch(
    /\| OP-062 \|[^\n]*\[deploys\.long\.story\.ts\][^\n]* \| in a browser \|/,
  );
  expect(gapsIn(tests)).toEqual(["CERT-023 has no test and no explanation"]);
});

test("a page says what is proved, by which test, and with what result", () => {
  const page = conformancePage(proofTests(reportWithout("CERT-023"), root));
  expect(page).toContain(
    "| CERT-022 | another `iss` in the ID token is refused | [x.test.ts](../packages/x/x.test.ts): does what is right | passed |",
  );
  expect(page).toMatch(/\| CERT-023 \|[^\n]*\| none \| \*\*missing\*\* \|/);
  expect(page).toMatch(/\| STD-067 \|[^\n]*\| does not apply: /);
});

describe("the page in the repository", () => {
  const page = readFileSync(pageFile, "utf8");
  const table = page.split("## Decided otherwise", 1)[0] ?? "";
  const rows = new Map(table.split("\n").map((line) => [/^\| (\S+) \|/.exec(line)?.[1], line]));

  test("has a line for every id, in the words of today, proved or explained", () => {
    for (const { id, says } of requirements) {
      const row = rows.get(id) ?? "";
      expect([id, row.includes(says.replaceAll("|", "\\|"))]).toEqual([id, true]);
      expect(row).toMatch(
        id in notApplicable ? /\| does not apply: / : /\| (?:passed|in a browser) \|$/,
      );
    }
  });

  test("claims no proof whose test is gone", () => {
    const lists = ["**/conformance/scope/*.ts"];
    const places = ["{packages,apps}/*/{src,test}/**/*.{ts,tsx}", "e2e/stories/**/*.story.ts"];
    const files = globSync(places, { cwd: root, exclude: lists });
    const sources = files.map((file) => readFileSync(path.join(root, file), "utf8")).join("\n");
    const mentioned = new Set(
      [...sources.matchAll(/\b(?:CERT|FAPI|STD|ATK|REL|ASVS|OP)-[\w.]+\d/g)].map(([id]) => id),
    );
    const isProved = (id: string) => mentioned.has(id) || behaviorsOfID(id).length > 0;
    const gone = requirements.filter(
      ({ id, provedBy = [] }) => !(id in notApplicable) && ![id, ...provedBy].some(isProved),
    );
    expect(gone).toEqual([]);
  });
});
