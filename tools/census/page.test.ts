import { describe, expect, it } from "vitest";

import { type Budget, censusPage, faultsOf, nextRows, readBudget, readRows } from "./page.ts";

const figures = (settings: number, reasons = 2) =>
  new Map([
    ["Settings", Array.from({ length: settings }, (_, place) => `setting ${place}`)],
    ["Reasons", Array.from({ length: reasons }, (_, place) => `reason ${place}`)],
  ]);

const first = readBudget(
  "0001-a-census.md",
  "# 0001 A census\n\n## Budget\n\n- Settings: 3\n- Reasons: 2\n\n## Price\n\n- Settings: 9\n",
);
const rows = [
  { name: "Settings", count: 3, record: "0001" },
  { name: "Reasons", count: 2, record: "0001" },
];

function budget(record: string, settings: number): Budget {
  return readBudget(`${record}-more.md`, `## Budget\n\n- Settings: ${settings}\n`);
}

it("the census reads the section Budget of a record, and no other", () => {
  expect([...first.allowed]).toEqual([
    ["Settings", 3],
    ["Reasons", 2],
  ]);
  expect([...readBudget("0002-x.md", "# 0002 X\n\n- Settings: 4\n").allowed]).toEqual([]);
});

it("the census reads the rows that it has written", () => {
  const page = censusPage(rows, [first], "2026-11-28");
  expect(readRows(page)).toEqual(rows);
  expect(page).toContain("| Settings |      3 | [0001](decisions/0001-a-census.md) |");
  expect(page).toContain("on 2026-11-28");
});

describe("the check", () => {
  it("passes while every figure is the one of the page", () => {
    expect(faultsOf(figures(3), rows, [first])).toEqual([]);
  });

  it("fails for a figure that has grown, and names what to do", () => {
    expect(faultsOf(figures(4), rows, [first])).toEqual([
      expect.stringMatching(/^Settings: 4, .*allows 3\. .*"- Settings: 4" under "## Budget"/),
    ]);
  });

  it("fails for a higher figure on the page that no record allows", () => {
    const edited = rows.map((row) => ({ ...row, count: row.name === "Settings" ? 4 : row.count }));
    expect(faultsOf(figures(4), edited, [first])).toEqual([
      "Settings: record 0001 does not allow 4.",
    ]);
  });

  it("fails for a figure that is lower than the page says, with the command that writes it", () => {
    expect(faultsOf(figures(2), rows, [first])).toEqual([
      "Settings: 2, and docs/census.md still allows 3. Run: node tools/census/main.ts --write",
    ]);
  });

  it("fails for a figure without a row", () => {
    expect(faultsOf(figures(3), rows.slice(0, 1), [first])).toEqual([
      expect.stringContaining("Reasons: 2, and docs/census.md allows none"),
    ]);
  });
});

describe("the next rows", () => {
  it("are lower without a record", () => {
    expect(nextRows(figures(1), rows, [first])[0]).toEqual({
      name: "Settings",
      count: 1,
      record: "0001",
    });
  });

  it("are higher by another record with this figure", () => {
    const budgets = [first, budget("0002", 4)];
    const next = nextRows(figures(4), rows, budgets);
    expect(next[0]).toEqual({ name: "Settings", count: 4, record: "0002" });
    expect(faultsOf(figures(4), next, budgets)).toEqual([]);
  });

  it("are never higher by the record of the row, by another figure, or without a record", () => {
    const lower = rows.map((row) => ({ ...row, count: 2 }));
    expect(nextRows(figures(3), lower, [first])).toEqual(lower);
    expect(nextRows(figures(4), rows, [first, budget("0002", 5)])).toEqual(rows);
    expect(nextRows(figures(4), rows, [first])).toEqual(rows);
  });
});
