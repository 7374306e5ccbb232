import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  judgeTally,
  playwrightReport,
  readTallyLine,
  sum,
  tallyLine,
  vitestReport,
} from "./tally.ts";

describe("the tally of a test run", () => {
  it("sums all runners into the last line", () => {
    const total = sum([
      { passed: 4, failed: 0, skipped: 0 },
      { passed: 120, failed: 2, skipped: 1 },
    ]);
    expect(tallyLine(total)).toBe("124 passed, 2 failed, 1 skipped");
  });

  it("names the remedy if tests were skipped", () => {
    const skipped = { passed: 4, failed: 0, skipped: 36 };
    expect(tallyLine(skipped, "install Redis")).toBe(
      "4 passed, 0 failed, 36 skipped: install Redis",
    );
    expect(tallyLine({ ...skipped, skipped: 0 }, "install Redis")).toBe(
      "4 passed, 0 failed, 0 skipped",
    );
  });

  it("reads the last line of another command, and counts one failed test without it", () => {
    const tally = { passed: 4, failed: 0, skipped: 36 };
    expect(readTallyLine(tallyLine(tally, "install Redis"), 0)).toEqual(tally);
    expect(readTallyLine(tallyLine(tally), 1)).toEqual({ ...tally, failed: 1 });
    expect(readTallyLine("There is no such host.", 1)).toEqual({
      passed: 0,
      failed: 1,
      skipped: 0,
    });
  });

  it("reads the report of Vitest", () => {
    const report = { numPassedTests: 7, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 };
    expect(vitestReport.tally(report)).toEqual({ passed: 7, failed: 1, skipped: 3 });
  });

  it("counts a test file with a load error as failed", () => {
    const broken = { status: "failed", assertionResults: [] };
    const fine = { status: "passed", assertionResults: [{ status: "passed" }] };
    const report = { numPassedTests: 1, numFailedTests: 0, testResults: [broken, fine] };
    expect(vitestReport.tally(report)).toEqual({ passed: 1, failed: 1, skipped: 0 });
  });

  it("counts flaky tests and errors outside tests in the report of Playwright as failed", () => {
    const stats = { expected: 9, unexpected: 1, flaky: 1, skipped: 2 };
    expect(playwrightReport.tally({ stats, errors: [] })).toEqual({
      passed: 9,
      failed: 2,
      skipped: 2,
    });
    expect(playwrightReport.tally({ stats, errors: [{}] }).failed).toBe(3);
  });

  it("names the failed files of Vitest and the places of failed Playwright tests", () => {
    const root = path.join(import.meta.dirname, "../..");
    const files = ["passed", "failed"].map((status) => ({
      status,
      name: path.join(root, `bench/${status}.test.ts`),
    }));
    expect(vitestReport.failed({ testResults: files })).toEqual(["bench/failed.test.ts"]);
    const file = "stories/devices.story.ts";
    const specs = [
      { ok: true, file, line: 10 },
      { ok: false, file, line: 20 },
    ];
    const report = { suites: [{ specs, suites: [{ specs: [{ ok: false, file, line: 30 }] }] }] };
    expect(playwrightReport.failed(report)).toEqual([`${file}:20`, `${file}:30`]);
  });

  it("counts a runner without a report, without tests, or with a bad exit as failed", () => {
    const good = { passed: 3, failed: 0, skipped: 0 };
    const nothing = { passed: 0, failed: 0, skipped: 2 };
    expect(judgeTally(good, 0)).toEqual(good);
    expect(judgeTally(undefined, 0).failed).toBe(1);
    expect(judgeTally(nothing, 0)).toEqual({ passed: 0, failed: 1, skipped: 2 });
    expect(judgeTally(good, 1)).toEqual({ passed: 3, failed: 1, skipped: 0 });
    expect(judgeTally(good, null).failed).toBe(1);
    expect(judgeTally({ ...good, failed: 2 }, 1).failed).toBe(2);
  });
});
