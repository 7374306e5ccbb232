/** Runs a test runner and counts its tests by its report. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { report, runStep } from "./step.ts";
import type { Outcome, Step } from "./step.ts";
import { judgeTally, passedAgain, readReport, tallyLine } from "./tally.ts";
import type { ReportReader, Tally } from "./tally.ts";

export interface TestRun {
  /**
   * @param reportFile - path of the JSON report
   * @param only - words to choose tests; all tests without any
   */
  readonly step: (reportFile: string, only: readonly string[]) => Step;
  readonly reader: ReportReader;
  /**
   * Whether failed tests run once more, alone. Tests that pass then count as passed, and are named.
   */
  readonly again: boolean;
}

export async function runTests(run: TestRun): Promise<Tally> {
  const folder = mkdtempSync(path.join(tmpdir(), "latchkey-report-"));
  try {
    const first = await attempt(run, path.join(folder, "first.json"), []);
    const { failed, tally } = first;
    if (!run.again || failed.length === 0) return tally;
    console.log("Running the failed tests once more, alone ...");
    const second = await attempt(run, path.join(folder, "again.json"), failed);
    if (second.tally.failed > 0) return tally;
    console.log(`${passedAgain}${failed.join(" ")}`);
    return { ...tally, failed: 0, passed: tally.passed + tally.failed };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function attempt({ step, reader }: TestRun, reportFile: string, only: readonly string[]) {
  const outcome = await runStep(step(reportFile, only));
  const found = readReport(reportFile);
  const tally = judgeTally(found === undefined ? undefined : reader.tally(found), outcome.exitCode);
  report(withFailures(outcome, tally), `${tallyLine(tally)} `);
  return { tally, failed: reader.failed(found) };
}

/** A runner may exit with 0 and leave a report with a failure, or no report. */
function withFailures(outcome: Outcome, { failed }: Tally): Outcome {
  return { ...outcome, exitCode: failed > 0 ? outcome.exitCode || 1 : outcome.exitCode };
}
