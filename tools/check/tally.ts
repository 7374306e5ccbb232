import { readFileSync } from "node:fs";
import path from "node:path";

const root = path.join(import.meta.dirname, "../..");

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const onePassed: Tally = { passed: 1, failed: 0, skipped: 0 };
export const oneFailed: Tally = { passed: 0, failed: 1, skipped: 0 };

/** A check without tests of its own counts as one test. */
export function asOne({ exitCode }: { readonly exitCode: number | null }): Tally {
  return exitCode === 0 ? onePassed : oneFailed;
}

export function sum(tallies: readonly Tally[]): Tally {
  const total = (kind: keyof Tally) => tallies.reduce((all, tally) => all + tally[kind], 0);
  return { passed: total("passed"), failed: total("failed"), skipped: total("skipped") };
}

/**
 * The last line of `npm test`.
 *
 * @param remedy - how to run the skipped tests
 */
export function tallyLine({ passed, failed, skipped }: Tally, remedy?: string): string {
  const counts = `${passed} passed, ${failed} failed, ${skipped} skipped`;
  return skipped > 0 && remedy ? `${counts}: ${remedy}` : counts;
}

/**
 * Parses {@link tallyLine}. A command without this line, or that fails without a failed test,
 * counts as one.
 */
export function readTallyLine(line: string, exitCode: number | null): Tally {
  const [, passed, failed, skipped] = /^(\d+) passed, (\d+) failed, (\d+) skipped/.exec(line) ?? [];
  if (passed === undefined) return oneFailed;
  const tally = { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) };
  return exitCode !== 0 && tally.failed === 0 ? sum([tally, oneFailed]) : tally;
}

/** Prefix of the line with the tests that passed in the second run. */
export const passedAgain = "passed only when run again: ";

/** Reads the JSON report of a test runner. */
export interface ReportReader {
  readonly tally: (report: unknown) => Tally;
  /** Returns the failed tests as arguments for the command line of the runner. */
  readonly failed: (report: unknown) => readonly string[];
}

export const vitestReport: ReportReader = { tally: vitestTally, failed: failedFiles };
export const playwrightReport: ReportReader = { tally: playwrightTally, failed: failedStories };

/** A file with a load error counts as one failed test. */
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

/** A flaky test counts as failed. */
function playwrightTally(report: unknown): Tally {
  const stats = member(report, "stats");
  return {
    passed: count(stats, "expected"),
    failed: count(stats, "unexpected") + count(stats, "flaky") + list(report, "errors").length,
    skipped: count(stats, "skipped"),
  };
}

/** @param suite - the report, or a suite in it */
function failedStories(suite: unknown): string[] {
  const failed = list(suite, "specs").filter((spec) => member(spec, "ok") === false);
  const places = failed.map((spec) => `${text(spec, "file")}:${count(spec, "line")}`);
  return [...places, ...list(suite, "suites").flatMap(failedStories)];
}

/**
 * Corrects the tally of a runner after its exit. A crash or a run without tests counts as one
 * failed test.
 */
export function judgeTally(tally: Tally | undefined, exitCode: number | null): Tally {
  if (!tally) return oneFailed;
  const ranNothing = tally.passed + tally.failed === 0;
  const crashed = exitCode !== 0 && tally.failed === 0;
  return ranNothing || crashed ? sum([tally, oneFailed]) : tally;
}

/** Reads a JSON report. Returns `undefined` if the file is missing or invalid. */
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
