import { readFileSync } from "node:fs";
import path from "node:path";

const root = path.join(import.meta.dirname, "../..");

/** How many tests of a runner passed, failed and were skipped. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const onePassed: Tally = { passed: 1, failed: 0, skipped: 0 };
export const oneFailed: Tally = { passed: 0, failed: 1, skipped: 0 };

export function sum(tallies: readonly Tally[]): Tally {
  const total = (kind: keyof Tally) => tallies.reduce((all, tally) => all + tally[kind], 0);
  return { passed: total("passed"), failed: total("failed"), skipped: total("skipped") };
}

/**
 * The one line with which `npm test` ends.
 *
 * @param remedy - what lets the skipped tests run
 */
export function tallyLine({ passed, failed, skipped }: Tally, remedy?: string): string {
  const counts = `${passed} passed, ${failed} failed, ${skipped} skipped`;
  return skipped > 0 && remedy ? `${counts}: ${remedy}` : counts;
}

/** Reads {@link tallyLine} back. A command that wrote none, or failed without a failed test, counts as one failed test. */
export function readTallyLine(line: string, exitCode: number | null): Tally {
  const [, passed, failed, skipped] = /^(\d+) passed, (\d+) failed, (\d+) skipped/.exec(line) ?? [];
  if (passed === undefined) return oneFailed;
  const tally = { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) };
  return exitCode !== 0 && tally.failed === 0 ? sum([tally, oneFailed]) : tally;
}

/** How a line begins that names what failed, and passed when it was run again. */
export const passedAgain = "passed only when run again: ";

/** What the JSON report of a test runner says. */
export interface ReportReader {
  readonly tally: (report: unknown) => Tally;
  /** What failed, in words that choose it on the command line of the runner. */
  readonly failed: (report: unknown) => readonly string[];
}

export const vitestReport: ReportReader = { tally: vitestTally, failed: failedFiles };
export const playwrightReport: ReportReader = { tally: playwrightTally, failed: failedStories };

/** A file that could not even be loaded counts as one failed test. */
function vitestTally(report: unknown): Tally {
  const unloaded = list(report, "testResults").filter(
    (file) => text(file, "status") === "failed" && list(file, "assertionResults").length === 0,
  );
  return {
    passed: count(report, "numPassedTests"),
    failed: count(report, "numFailedTests") + unloaded.length,
    skipped: count(report, "numPendingTests") + count(report, "numTodoTests"),
  };
}

function failedFiles(report: unknown): string[] {
  const failed = list(report, "testResults").filter((file) => text(file, "status") === "failed");
  return failed.map((file) => path.relative(root, text(file, "name")));
}

/** A test that passed only when Playwright itself tried it again failed. */
function playwrightTally(report: unknown): Tally {
  const stats = member(report, "stats");
  return {
    passed: count(stats, "expected"),
    failed: count(stats, "unexpected") + count(stats, "flaky") + list(report, "errors").length,
    skipped: count(stats, "skipped"),
  };
}

/** @param suite - of the report, or the report itself */
function failedStories(suite: unknown): string[] {
  const failed = list(suite, "specs").filter((spec) => member(spec, "ok") === false);
  const places = failed.map((spec) => `${text(spec, "file")}:${count(spec, "line")}`);
  return [...places, ...list(suite, "suites").flatMap(failedStories)];
}

/**
 * The tally of a runner that has exited. A runner that crashed or ran no test counts as one failed
 * test, whatever its report says.
 */
export function judged(tally: Tally | undefined, exitCode: number | null): Tally {
  if (!tally) return oneFailed;
  const ranNothing = tally.passed + tally.failed === 0;
  const crashed = exitCode !== 0 && tally.failed === 0;
  return ranNothing || crashed ? sum([tally, oneFailed]) : tally;
}

/** The JSON report in a file; `undefined` when the runner left none that can be read. */
export function readReport(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function count(value: unknown, name: string): number {
  const found = member(value, name);
  return typeof found === "number" ? found : 0;
}

function text(value: unknown, name: string): string {
  const found = member(value, name);
  return typeof found === "string" ? found : "";
}

function list(value: unknown, name: string): unknown[] {
  const found = member(value, name);
  return Array.isArray(found) ? found : [];
}
